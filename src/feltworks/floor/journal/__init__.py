"""The journal: records in streams, commits over several streams, and the signatures that nobody can forge."""
