"""What a command would do, found out before it runs: its simple commands, and what each is judged to be."""
