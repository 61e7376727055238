"""The pages of the repository and of the site: what is in them, and tests that it is true."""
