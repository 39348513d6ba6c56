"""Completion scripts made from the reference: static, so that pressing Tab starts no process of ours."""
