"""What the machine can do, safely: files below a directory, durable writes, locks, processes, kernel jails."""
