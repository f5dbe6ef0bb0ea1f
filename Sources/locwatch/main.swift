import Glibc
import LocwatchCommand

exit(await Program.run())
