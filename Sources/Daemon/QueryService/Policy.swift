// SPDX-License-Identifier: MIT
import Reactor
import TodayModel
import Varlink

/// What the machine's policy may allow to a client that `Permissions` denies: an action of polkit(8).
package enum PolicyAction: String, CaseIterable, Sendable {
    case update = "org.todayd.update"
    case manageWidgets = "org.todayd.manage-widgets"

    /// Nil for methods that need no permission, and for commands, which are executed for one user alone.
    package init?(method: String) {
        switch method {
        case "Update": self = .update
        case "Enable", "Disable", "Move", "SetDisplayMode", "SetHasContent", "PerformAction", "SetEditing", "Push",
            "SetDefaults", "Settings", "SetSettings", "Add", "Remove", "Reload":
            self = .manageWidgets
        default: return nil
        }
    }

    /// The parameter by which a client says that its user can be asked for a password. The name is systemd's.
    package static let interactive = "allowInteractiveAuthentication"
}

extension Method {
    /// The same method with the parameter by which a client lets its user be asked, if the machine has a policy.
    package var askingThePolicy: Method {
        PolicyAction(method: name) == nil ? self : Method(name, parameterNames + [PolicyAction.interactive], answer)
    }
}

package struct PolicyQuestion: Sendable {
    package let action: PolicyAction
    package let peer: PeerCredentials
    /// Whether the user can be asked for a password.
    package let isInteractive: Bool
}

package enum PolicyAnswer: Sendable {
    case allowed, denied
    /// The user has to be asked, and the client did not say that it is possible.
    case needsInteraction
    /// Too many questions wait for an answer.
    case busy
}

extension QueryService {
    /// Asks the policy about a call that was denied. The client waits, and withdraws its question by leaving.
    ///
    /// - Returns: false if there is no policy to ask.
    func askPolicy(about call: VarlinkCall, of session: Session) -> Bool {
        guard session.widget == nil, !call.oneway, let action = PolicyAction(method: call.memberName),
            backend.hasPolicy(for: session.peer)
        else { return false }
        let isInteractive = call.parameters[PolicyAction.interactive]?.boolValue ?? false
        let question = PolicyQuestion(action: action, peer: session.peer, isInteractive: isInteractive)
        let wait = session.beginWait(isStoppable: true)
        let stop = backend.askPolicy(question) { [self] in carryOut($0, to: call, of: session, wait) }
        session.onLeave(before: wait, call: stop)
        return true
    }

    private func carryOut(_ policy: PolicyAnswer, to call: VarlinkCall, of session: Session, _ wait: UInt64) {
        // A client that has left has withdrawn its question.
        guard session.state.isAwaiting(wait) else { return }
        do throws(VarlinkError) {
            switch policy {
            case .allowed:
                let answer = try self.answer(to: call, from: session, isAuthorized: true)
                // From here on, the session waits for what the answer has begun.
                session.endWait(wait, with: nil)
                give(answer, to: call, of: session)
            case .denied: throw .permissionDenied
            case .needsInteraction: throw .interactionNeeded
            case .busy: throw .limitReached("too many users are asked for a password at this moment")
            }
        } catch {
            session.endWait(wait, with: VarlinkReply(error).encoded())
        }
    }
}
