"""A part of the records by time, as a file that anybody can verify with the house's public key alone."""
