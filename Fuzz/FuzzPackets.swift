@testable import LocationPublishing
@testable import BrokerSimulation

/// Fuzzes the parser of MQTT, and a broker that receives the bytes; the first byte is the size of the pieces.
func fuzzPackets(_ input: UnsafeBufferPointer<UInt8>) {
    guard let size = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = parsed(bytes, pieces: bytes.count)
    check(whole == parsed(bytes, pieces: Int(size)), "the size of the pieces matters")
    for packet in whole.packets {
        check(parsed(packet.bytes, pieces: 1) == Parsed(packets: [packet]), "a packet is not read as it is written")
    }
    checkBroker(bytes, pieces: Int(size))
}

private struct Parsed: Hashable {
    var packets: [MQTTPacket] = []
    var fault: MQTTPacketFault?
}

private func parsed(_ bytes: [UInt8], pieces size: Int) -> Parsed {
    var (parser, parsed) = (MQTTPacketParser(), Parsed())
    do throws(MQTTPacketFault) {
        for piece in pieces(bytes, size) {
            parser.append(piece)
            while let packet = try parser.next() {
                parsed.packets.append(packet)
                check(parsed.packets.count <= bytes.count, "there are more packets than bytes")
            }
        }
    } catch {
        parsed.fault = error
    }
    return parsed
}

/// Checks that a broker answers with packets only, also to a client that receives the messages of another one.
private func checkBroker(_ bytes: [UInt8], pieces size: Int) {
    var broker = ScriptedBroker()
    let sender = broker.accept()
    let reader = broker.accept()
    let introduction = MQTTPacket.connect(BrokerClient(clientID: "reader"))
    let subscription = MQTTPacket.subscribe(1, [MQTTPacket.Filter(text: "#", quality: 1)])
    broker.receive(introduction.bytes + subscription.bytes, on: reader, at: .zero)
    for piece in pieces(bytes, size) { broker.receive(piece, on: sender, at: .zero) }
    broker.forget(sender, at: .zero)
    check(broker.publishedWills.count <= 1, "a client has several wills")
    let (output, isClosed) = broker.takeOutput(of: reader, at: .zero)
    check(!isClosed, "a client is closed because of another one")
    let answers = parsed(output, pieces: output.count)
    check(answers.fault == nil, "the broker sends something else than packets")
    let forwarded = answers.packets.compactMap { if case .publish(let message, _) = $0 { message } else { nil } }
    check(forwarded.count <= broker.published.count + 1, "a message is forwarded twice")
}
