// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

extension Session {
    /// One read(2). Nearly always it brings one whole call, which is then taken from where it was read to.
    func receive() {
        switch StreamSocket.receive(from: descriptor, into: &service.buffer) {
        case .bytes(let count):
            if input.bufferedBytes == 0 {
                take(service.buffer, count: count)
            } else {
                keep(service.buffer[..<count])
                takeBuffered()
            }
        case .nothing: return
        // The client has nothing more to say; whatever it said is answered, or the socket would not be read. Or it is
        // gone (ECONNRESET and its like), and that is its right.
        case .end, .failed: close()
        }
    }

    private func take(_ bytes: [UInt8], count: Int) {
        var start = 0
        var left = service.limits.callsPerTurn
        var isTooEarly = false
        let end = service.turnTime + service.share
        while start < count {
            isTooEarly = left == 0 || !canTakeMore || (start > 0 && BootTime.now > end)
            guard !isTooEarly, let scan = CallScan(bytes, from: start, to: count) else { break }
            answer(bytes[start..<scan.end], hash: scan.hash)
            start = scan.end + 1
            left -= 1
        }
        guard !isClosed else { return }
        if start < count {
            // Either what may be whole calls, or the beginning of one.
            holdsCall = isTooEarly
            guard isTooEarly || isShortEnough(count - start) else { return }
            keep(bytes[start..<count])
        }
        finishTurn()
    }

    /// Takes the calls that have been read already, up to the bound of a turn.
    func takeBuffered() {
        holdsCall = true
        var left = service.limits.callsPerTurn
        let end = service.turnTime + service.share
        while holdsCall, canTakeMore, left > 0, left == service.limits.callsPerTurn || BootTime.now <= end {
            let before = input.bufferedBytes
            let call: [UInt8]?
            do throws(FramingError) {
                call = try input.next()
            } catch {
                return violate("\(error)")
            }
            service.waitingInput -= before - input.bufferedBytes
            holdsCall = call != nil
            guard let call else {
                guard isShortEnough(input.bufferedBytes) else { return }
                break
            }
            answer(call[...], hash: CallScan.hash(of: call))
            left -= 1
        }
        finishTurn()
    }

    private var canTakeMore: Bool {
        guard case .none = work else { return false }
        if output.byteCount >= service.limits.gatheredBytes { flush() }
        return !isClosed && output.byteCount < service.limits.gatheredBytes
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        input.append(bytes)
        service.waitingInput += bytes.count
        service.boundWaitingInput()
    }

    private func finishTurn() {
        flush()
        guard isReady else { return }
        if holdsCall {
            // It has what to go on with, and more from it must not take the turns of others.
            watch(.hangup)
            service.resumeNextTurn(self)
        } else {
            // A client that may say no more is closed when the end of what it has said is read.
            if service.isStopping, hasCalled { StreamSocket.endInput(of: descriptor) }
            watch(.readable)
        }
    }

    private func answer(_ bytes: ArraySlice<UInt8>, hash: UInt64) {
        hasCalled = true
        guard isShortEnough(bytes.count) else { return }
        if widget == nil,
            let reply = service.replyCache.reply(to: bytes, hash: hash, now: service.turnTime.microseconds)
        {
            return output.append(reply)
        }
        let message = Array(bytes)
        let call: VarlinkCall
        do throws(VarlinkProtocolError) {
            call = try VarlinkCall(parsing: message)
        } catch {
            return violate("\(error)")
        }
        perform(call, message, hash)
    }

    /// Closes the connection of a client whose call is longer than its rights allow.
    private func isShortEnough(_ count: Int) -> Bool {
        let limits = service.limits
        if count > limits.callBytes {
            violate("\(FramingError(limit: limits.callBytes))")
        } else if count > limits.readerCallBytes, widget == nil, !service.backend.mayChange(.anything, peer: peer) {
            violate("\(FramingError(limit: limits.readerCallBytes)) from a client that may change nothing")
        }
        return !isClosed
    }

    private func violate(_ reason: String) {
        service.report(.protocolViolation(uid: peer.uid, pid: peer.pid, reason))
        // What was answered before is owed to the client.
        flush()
        close()
    }

    private func perform(_ call: VarlinkCall, _ message: [UInt8], _ hash: UInt64) {
        let answer: Answer
        do throws(VarlinkError) {
            answer = try service.answer(to: call, from: self)
        } catch {
            return reply(VarlinkReply(error), to: call)
        }
        switch answer {
        case .parameters(let parameters):
            reply(VarlinkReply(parameters), to: call)
        case .bytes(let parameters, let validUntil):
            guard !call.oneway else { return }
            let frame = service.frame(VarlinkReply.encode(parametersBytes: parameters, continues: false))
            service.keep(frame, for: message, hash: hash, validUntil: validUntil)
            output.append(frame)
        case .later(let start):
            // Also where no reply is wanted: no client makes changes faster than they can be kept.
            wait(for: start, call)
        case .frame(let start):
            let wait = beginWait()
            start { [weak self] frame in
                guard let self, endWait(wait), !call.oneway else { return }
                output.append(frame)
            }
        case .unlessLeft(let start):
            wait(
                for: { [weak self] done in
                    let stop = start(done)
                    // What was done at once cannot be stopped any more.
                    if let self, case .waiting = work { onLeave = stop }
                }, call)
        case .stream(let feed):
            setWork(.streaming(feed, seen: Feed.nothingSeen))
            feed.add(self)
            flush()
            deliver()
        }
    }

    private func reply(_ reply: VarlinkReply, to call: VarlinkCall) {
        if !call.oneway { output.append(service.frame(reply.encoded())) }
    }

    private func wait(for start: Answer.Start, _ call: VarlinkCall) {
        let wait = beginWait()
        start { [weak self] result in self?.finish(wait, result, isWanted: !call.oneway) }
    }

    private func beginWait() -> UInt64 {
        waits += 1
        setWork(.waiting(waits))
        return waits
    }

    /// - Returns: whether the call still waits for its reply.
    private func endWait(_ wait: UInt64) -> Bool {
        guard case .waiting(wait) = work else { return false }
        onLeave = nil
        setWork(.none)
        service.resumeNextTurn(self)
        return true
    }

    private func finish(_ wait: UInt64, _ result: Result<JSONObject, Refusal>, isWanted: Bool) {
        guard endWait(wait), isWanted else { return }
        let reply =
            switch result {
            case .success(let parameters): VarlinkReply(parameters)
            case .failure(let refusal): VarlinkReply(service.error(for: refusal, of: widget))
            }
        output.append(service.frame(reply.encoded()))
    }
}
