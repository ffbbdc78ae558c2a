"""What is shown: pages, sockets, views."""
