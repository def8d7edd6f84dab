// SPDX-License-Identifier: MIT

/// Who goes next: the parties take turns, and the members of one party share its turn. So whoever comes with a thousand
/// connections waits for its own thousand, and everybody else for one of them.
struct TurnQueue<Party: Hashable, Member> {
    private var lines: [Party: Line<Member>] = [:]
    private var parties = Line<Party>()

    var isEmpty: Bool { lines.isEmpty }
    var partyCount: Int { lines.count }

    mutating func append(_ member: Member, of party: Party) {
        if lines[party] == nil { parties.append(party) }
        lines[party, default: Line()].append(member)
    }

    mutating func next() -> Member? {
        guard let party = parties.next(), let member = lines[party]?.next() else { return nil }
        if lines[party]?.isEmpty == true {
            lines[party] = nil
        } else {
            parties.append(party)
        }
        return member
    }
}

/// First come, first served.
struct Line<Member> {
    private var members: [Member?] = []
    private var first = 0

    var isEmpty: Bool { first == members.count }

    mutating func append(_ member: Member) { members.append(member) }

    /// What was taken leaves when it is half of all, so that all moves together cost no more than the members did.
    mutating func next() -> Member? {
        guard !isEmpty else { return nil }
        let member = members[first]
        members[first] = nil
        first += 1
        if first * 2 > members.count {
            members.removeFirst(first)
            first = 0
        }
        return member
    }
}
