import Glibc
import LocwatchCommand

exit(Program.run())
