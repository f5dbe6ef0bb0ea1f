import Glibc

/// The lock of an open file (flock), which tells other programs, and other users of the file in this one, that it is in use.
package enum FileLock {
    /// Locks a file; returns `false` if it is in use.
    ///
    /// On a file system without locks it stays unlocked.
    package static func take(_ descriptor: Int32) -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Unlocks a file and closes it.
    ///
    /// To close it is not enough: a child that another thread starts at this moment has all open files until it runs its
    /// program, and the lock would last as long.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
