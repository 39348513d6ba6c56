"""Every cap, with its unit; settings under `limits:` change them, and each is announced when it bites."""

from codetools.core.arg import Annotated, Arg
from codetools.core.record import Record


class Limits(Record):
    """The caps of one call. A project's settings can only lower them."""

    read_lines: Annotated[int, Arg("Lines of a file shown by one read.", minimum=1)] = 2000
    read_chars: Annotated[int, Arg("Characters of a file shown by one read.", minimum=1000)] = 200_000
    line_chars: Annotated[int, Arg("Characters of one line shown by read.", minimum=80)] = 2000
    exact_read_bytes: Annotated[int, Arg("Size up to which read gives exact totals and a hash.", minimum=0)] = 16 << 20
    raw_bytes: Annotated[int, Arg("Bytes of a file given by one raw or base64 read.", minimum=1000)] = 16 << 20
    media_bytes: Annotated[int, Arg("Largest image, PDF or notebook that read takes.", minimum=0)] = 64 << 20
    media_seconds: Annotated[float, Arg("Seconds that decoding an image or a PDF may take.", minimum=0.1)] = 20.0
    media_pixels: Annotated[int, Arg("Pixels of the largest image that is decoded.", minimum=1)] = 120_000_000
    image_side: Annotated[int, Arg("Longest side, in pixels, of an image as shown.", minimum=16)] = 1568
    image_bytes: Annotated[int, Arg("Bytes of one image as shown, before base64.", minimum=1000)] = 3_750_000
    images: Annotated[int, Arg("Images of one notebook shown.", minimum=0)] = 20
    pdf_pages: Annotated[int, Arg("Pages of a PDF shown by one read.", minimum=1)] = 20
    edit_bytes: Annotated[int, Arg("Largest file that edit and write take.", minimum=1)] = 512 << 20
    diff_chars: Annotated[int, Arg("Characters of one diff shown.", minimum=1000)] = 60_000
    grep_matches: Annotated[int, Arg("Matches shown by one grep unless asked.", minimum=1)] = 250
    grep_matches_most: Annotated[int, Arg("Matches shown by one grep, whatever it asks for.", minimum=1)] = 20_000
    grep_line_chars: Annotated[int, Arg("Characters of one matching line shown.", minimum=40)] = 500
    grep_file_bytes: Annotated[int, Arg("Largest file that grep searches below a directory.", minimum=1)] = 512 << 20
    glob_paths: Annotated[int, Arg("Paths listed by one glob.", minimum=1)] = 10_000
    tree_entries: Annotated[int, Arg("Entries of one directory shown by tree and ls.", minimum=1)] = 1000
    tree_rows: Annotated[int, Arg("Rows drawn by one tree.", minimum=1)] = 2000
    search_seconds: Annotated[float, Arg("Seconds after which a search ends with what it has.", minimum=0.1)] = 30.0
    bash_seconds: Annotated[int, Arg("Seconds a command may run unless asked.", minimum=1)] = 120
    bash_seconds_most: Annotated[int, Arg("Longest timeout that may be asked for.", minimum=1)] = 600
    stdout_bytes: Annotated[int, Arg("Bytes of a command's output shown.", minimum=1000)] = 200_000
    stderr_bytes: Annotated[int, Arg("Bytes of a command's error output shown.", minimum=1000)] = 56_000
    spool_bytes: Annotated[int, Arg("Bytes of a command's output kept on disk.", minimum=10_000)] = 1 << 30
    batch_calls: Annotated[int, Arg("Calls of one batch that run together.", minimum=1)] = 10
    job_seconds: Annotated[int, Arg("Seconds a job may run in the background.", minimum=1)] = 86_400
    jobs_running: Annotated[int, Arg("Jobs running at once.", minimum=1)] = 100
    jobs_count: Annotated[int, Arg("Ended jobs kept with their output.", minimum=0)] = 200
    jobs_days: Annotated[int, Arg("Days that an ended job is kept.", minimum=1)] = 7
    jobs_bytes: Annotated[int, Arg("Bytes of output kept of all ended jobs.", minimum=0)] = 4 << 30
    text_chars: Annotated[int, Arg("Characters of `text` in any outcome.", minimum=1000)] = 400_000
    delete_paths: Annotated[int, Arg("Files and directories that one recursive delete takes.", minimum=1)] = 100_000
    journal_bytes: Annotated[int, Arg("Bytes of pre-images kept for undo.", minimum=0)] = 2 << 30
    journal_days: Annotated[int, Arg("Days that undo reaches back.", minimum=1)] = 30
    lock_seconds: Annotated[float, Arg("Seconds to wait for another process's lock.", minimum=0.0)] = 5.0
    stdin_seconds: Annotated[float, Arg("Silent seconds on standard input before it is an error.", minimum=0.1)] = 10.0
