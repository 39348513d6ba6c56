"""The programs that only read, each with every option it may be given: what is not in this table is asked about.

Never a list of what is dangerous: programs grow options. Options that follow links out of a tree, take names from a
file, run a program, write a file or never end are left out.
"""

from typing import Literal

from codetools.core.record import Record


class Reader(Record):
    """One program's allowance.

    `flags` are letters without a value, `valued` letters with one, `attached` letters whose value, if any, is attached.
    `long` holds `name`, `name=` (takes a value) and `name?` (takes one only after `=`). `operands` says what the other
    words are; `shows` what becomes of paths among them: their content is read, or only names and sizes are listed.
    """

    kind: Literal["search", "read", "list", "neutral"]
    flags: str = ""
    valued: str = ""
    attached: str = ""
    long: str = ""
    operands: Literal["paths", "pattern", "text", "none", "any", "format", "own"] = "paths"
    shows: Literal["read", "list"] = "read"
    most: int = -1  # operands
    counts: bool = False  # also takes -NUMBER
    clusters: bool = True
    is_builtin: bool = False  # the shell's own


def _read(flags: str = "", valued: str = "", long: str = "", most: int = -1, attached: str = "") -> Reader:
    return Reader("read", flags, valued, attached, long, most=most)


def _list(flags: str = "", valued: str = "", long: str = "", attached: str = "") -> Reader:
    return Reader("list", flags, valued, attached, long, shows="list")


def _say(flags: str = "", valued: str = "", long: str = "", operands: Literal["none", "text"] = "none") -> Reader:
    return Reader("neutral", flags, valued, "", long, operands)


_CHECKSUM = _read("btz", "", "binary tag text zero")

READERS: dict[str, Reader] = {
    # content
    "cat": _read(
        "AbeEnstTuv", "", "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"
    ),
    "head": _read("qvz", "nc", "bytes= lines= quiet silent verbose zero-terminated").but(counts=True),
    "tail": _read("qvz", "nc", "bytes= lines= quiet silent verbose zero-terminated").but(counts=True),
    "wc": _read("cmlLw", "", "bytes chars lines words max-line-length total="),
    "nl": _read("p", "bdfhilnsvw"),
    "tac": _read("br", "s", "before regex separator="),
    "rev": _read(),
    "od": _read(
        "abcdfiloxv", "AjNSt", "address-radix= skip-bytes= read-bytes= format= output-duplicates", attached="w"
    ),
    "hexdump": _read("bcCdovx", "ns"),
    "xxd": _read("bepu", "cgls", most=1).but(clusters=False),
    "file": _read("bhikNnr", "eF", "brief mime mime-type mime-encoding no-dereference keep-going raw"),
    "sort": _read(
        "bdfgiMhnRrVcCmsuz",
        "ktS",
        "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort"
        " human-numeric-sort numeric-sort random-sort reverse version-sort check? key= stable unique zero-terminated"
        " field-separator= merge",
    ),
    "uniq": _read(
        "cdDiuz",
        "fsw",
        "count repeated ignore-case unique zero-terminated skip-fields= skip-chars= check-chars=",
        most=1,
    ),
    "cut": _read(
        "nsz",
        "bcdf",
        "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
    ),
    "paste": _read("sz", "d", "delimiters= serial zero-terminated"),
    "comm": _read("123z", "", "check-order nocheck-order output-delimiter= total zero-terminated"),
    "cmp": _read("bls", "in", "print-bytes ignore-initial= bytes= verbose quiet silent"),
    "diff": _read(
        "abBcdeEinNpqstTuwyZ",
        "CUWFI",
        "brief report-identical-files unified? context? side-by-side ignore-case ignore-all-space ignore-blank-lines"
        " ignore-space-change ignore-trailing-space strip-trailing-cr color? new-file text minimal width= label= normal"
        " suppress-common-lines show-c-function expand-tabs",
    ),
    "fold": _read("bs", "w", "bytes spaces width="),
    "fmt": _read("cstu", "wgp", "width= goal= split-only uniform-spacing"),
    "expand": _read("i", "t", "initial tabs="),
    "unexpand": _read("a", "t", "all first-only tabs="),
    "column": _read("tx", "sco"),
    "base64": _read("di", "w", "decode ignore-garbage wrap=", most=1),
    "base32": _read("di", "w", "decode ignore-garbage wrap=", most=1),
    "cksum": _read(),
    "md5sum": _CHECKSUM,
    "sha1sum": _CHECKSUM,
    "sha224sum": _CHECKSUM,
    "sha256sum": _CHECKSUM,
    "sha384sum": _CHECKSUM,
    "sha512sum": _CHECKSUM,
    "b2sum": _CHECKSUM,
    "sed": Reader("read", operands="own"),
    # names and sizes
    "ls": _list(
        "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
        "ITw",
        "all almost-all author escape block-size= ignore-backups color? directory classify? file-type format= full-time"
        " group-directories-first no-group human-readable si hide= hyperlink? indicator-style= inode ignore= kibibytes"
        " literal numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= reverse recursive"
        " size sort= time= time-style= tabsize= width= context zero",
    ),
    "stat": _list("ft", "c", "file-system terse format= printf="),
    "du": _list(
        "0abchklmsSx",
        "dtB",
        "all apparent-size bytes total block-size= max-depth= human-readable inodes null separate-dirs si summarize"
        " threshold= time? time-style= one-file-system exclude=",
    ),
    "df": _list(
        "ahHiklPTv",
        "Btx",
        "all block-size= human-readable si inodes local output? portability print-type total type="
        " exclude-type= no-sync",
    ),
    "tree": _list("aACdDfFghiJnNpqQsStux", "ILP", "dirsfirst filelimit= gitignore noreport prune sort= timefmt= du si"),
    "realpath": _list(
        "emLPqsz", "", "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero"
    ),
    "readlink": _list(
        "efmnqsvz", "", "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"
    ),
    "find": Reader("list", operands="own", shows="list"),
    # search
    "grep": Reader(
        "search",
        "EFGPivwxclLnHhosqbTaIUzZyr",
        "emABC",
        long="extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case word-regexp"
        " line-regexp count files-with-matches files-without-match line-number with-filename no-filename only-matching"
        " quiet silent no-messages byte-offset initial-tab text null null-data max-count= after-context="
        " before-context= context= color? colour? include= exclude= exclude-dir= binary-files= recursive"
        " line-buffered invert-match",
        operands="pattern",
        counts=True,
    ),
    "rg": Reader(
        "search",
        "abcFHiIlnNopPqsSuUvwx0.",
        "ABCdeEgjmMrtT",
        long="glob= iglob= type= type-not= regexp= after-context= before-context= context= max-count= max-columns="
        " max-columns-preview max-depth= max-filesize= threads= ignore-case case-sensitive smart-case invert-match"
        " word-regexp line-regexp fixed-strings count count-matches files files-with-matches files-without-match"
        " only-matching line-number no-line-number with-filename no-filename heading no-heading pretty quiet text"
        " no-ignore no-ignore-vcs no-ignore-parent hidden unrestricted multiline multiline-dotall column no-column"
        " color= colors= json sort= sortr= stats trim vimgrep type-list null null-data no-messages pcre2 replace="
        " encoding= passthru byte-offset crlf one-file-system no-config no-unicode glob-case-insensitive",
        operands="pattern",
    ),
    # words only
    "echo": Reader("neutral", operands="any", is_builtin=True),
    "true": Reader("neutral", operands="any", is_builtin=True),
    "false": Reader("neutral", operands="any", is_builtin=True),
    "printf": Reader("neutral", operands="format", is_builtin=True),
    "pwd": Reader("neutral", "LP", operands="none", is_builtin=True),
    "cd": Reader("neutral", operands="own", shows="list", is_builtin=True),
    "test": Reader("neutral", operands="own", shows="list", is_builtin=True),
    "[": Reader("neutral", operands="own", shows="list", is_builtin=True),
    "basename": _say("az", "s", "multiple suffix= zero", "text"),
    "dirname": _say("z", "", "zero", "text"),
    "tr": _say("cCdst", "", "complement delete squeeze-repeats truncate-set1", "text"),
    "seq": _say("w", "sf", "equal-width format= separator=", "text"),
    "sleep": _say(operands="text"),
    "date": Reader(
        "neutral", "uR", "d", "I", "utc universal rfc-email iso-8601? rfc-3339= date=", operands="own", most=1
    ),
    "id": _say("agGnruz", "", "group groups name real user zero", "text"),
    "uname": _say("asnrvmpio", "", "all kernel-name nodename kernel-release kernel-version machine operating-system"),
    "hostname": _say("s"),
    "whoami": _say(),
    "logname": _say(),
    "groups": _say(),
    "arch": _say(),
    "nproc": _say("", "", "all ignore="),
    "uptime": _say("ps", "", "pretty since"),
    "free": _say("bkmghtwl", "", "bytes kibi mebi gibi human total wide"),
    "locale": _say("am"),
    "tty": _say("s"),
}
ALIASES = {"egrep": ("grep", "-E"), "fgrep": ("grep", "-F")}
