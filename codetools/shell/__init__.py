"""Commands: what they are judged to be, the jail that holds the verdict, and their run."""
