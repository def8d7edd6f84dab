// SPDX-License-Identifier: MIT
import Glibc

/// Passes jobs to the writer thread and its reports back. The loop and the writer share nothing else.
///
/// Unchecked, because one mutex guards every access to the mutable part. It uses a condition variable, which
/// Synchronization's Mutex lacks: the thread sleeps until there is a job, and the loop, when it ends, sleeps until
/// there is a report or a deadline passes (pthread_cond_timedwait(3)).
final class Mailbox<Job: Sendable, Report: Sendable>: @unchecked Sendable {
    // On the heap, because a mutex must not move and Swift may copy a stored property to pass its address.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [Job] = []
    private var reports: [Report] = []
    private var hasEnded = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the wall clock must not make a shutdown longer.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    func post(_ job: Job) {
        locked {
            jobs.append(job)
            pthread_cond_broadcast(changed)
        }
    }

    /// Sleeps until there is a job, and takes it.
    func nextJob() -> Job {
        locked {
            while jobs.isEmpty { pthread_cond_wait(changed, mutex) }
            return jobs.removeFirst()
        }
    }

    func report(_ report: Report) {
        locked {
            reports.append(report)
            pthread_cond_broadcast(changed)
        }
    }

    func takeReports() -> [Report] {
        locked {
            defer { reports = [] }
            return reports
        }
    }

    /// Notes that the thread takes no more jobs.
    func end() {
        locked {
            hasEnded = true
            pthread_cond_broadcast(changed)
        }
    }

    func waitForReport(until deadline: Int64) -> Bool { wait(until: deadline) { !reports.isEmpty } }

    func waitForEnd(until deadline: Int64) -> Bool { wait(until: deadline) { hasEnded } }

    /// - Parameter deadline: in microseconds of CLOCK_MONOTONIC.
    private func wait(until deadline: Int64, _ condition: () -> Bool) -> Bool {
        var time = timespec(tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1_000)
        return locked {
            while !condition() {
                if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT { return condition() }
            }
            return true
        }
    }
}
