// SPDX-License-Identifier: MIT

import TodayModel

/// The meaning of the statuses of monitoring plugins.
extension Explanation {
    /// Explains that a monitoring plugin could not find anything out: this neither tells anything about what it watches, nor is
    /// it a failure of the run.
    func unknownStatus(of run: RunRecord) -> [Sentence] {
        guard status.contentProtocol == "nagios", run.result != .failed, run.exit == "exited with status 3" else {
            return []
        }
        let meaning =
            "Its status 3 is UNKNOWN: the plugin could not find out how things are, usually because of its arguments, its "
            + "rights or the network. That is not a failure of the run."
        return [Sentence(.trouble, meaning)]
    }
}
