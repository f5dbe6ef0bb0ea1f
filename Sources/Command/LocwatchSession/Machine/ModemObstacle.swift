import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The fault of a device that ModemManager has open: a receiver that it takes for a modem, or a modem with a receiver.
enum ModemObstacle {
    /// The vendors of USB whose devices with serial lines are modems of mobile networks.
    private static let modemVendors: [String: String] = [
        "0af0": "Option", "1199": "Sierra Wireless", "12d1": "Huawei", "1410": "Novatel Wireless", "19d2": "ZTE",
        "1bc7": "Telit", "1e0e": "SIMCom", "1e2d": "Cinterion", "2c7c": "Quectel", "2cb7": "Fibocom",
    ]
    /// The file of the rule, which ModemManager's own rules follow.
    private static let rules = "/etc/udev/rules.d/78-receiver.rules"

    static func finding(of path: String, _ holder: DeviceHolder, _ machine: any ExaminedMachine) -> Finding {
        let found = "\(path) is held by \(holder)"
        let device = USBDevice(of: path, machine)
        if let device, let vendor = modemVendors[device.vendor] {
            // Without ModemManager the modem has no mobile data.
            return .fault(
                .unavailable, found, why: "it is a port of a \(vendor) modem, which ModemManager controls",
                remedy: "let its receiver send positions: mmcli -m any --location-enable-gps-unmanaged",
                "then read its NMEA port, often the second of its ports: locwatch /dev/ttyUSB1")
        }
        let rule =
            device.map {
                "ATTRS{idVendor}==\"\($0.vendor)\", ATTRS{idProduct}==\"\($0.product)\", "
                    + "ENV{ID_MM_DEVICE_IGNORE}=\"1\""
            } ?? "KERNEL==\"\(machine.resolved(path).split(separator: "/").last ?? "")\", ENV{ID_MM_PORT_IGNORE}=\"1\""
        return .fault(
            .unavailable, found, why: "ModemManager probes every serial line for a modem and locks others out",
            remedy: "have it ignore the receiver: echo \(ShellWords.quoted(rule)) | sudo tee \(rules)",
            "sudo udevadm control --reload && sudo udevadm trigger", "sudo systemctl restart ModemManager")
    }
}

/// The numbers of a USB device, in hexadecimal as udev has them.
private struct USBDevice {
    let vendor: String
    let product: String

    /// Creates the numbers of the device with a serial line, or returns `nil` if the line is not of USB.
    init?(of path: String, _ machine: any ExaminedMachine) {
        let name = machine.resolved(path).split(separator: "/").last ?? ""
        // The line is at the interface of an ACM device, and one level below for a converter.
        for parent in ["..", "../.."] {
            let folder = "/sys/class/tty/\(name)/device/\(parent)"
            guard let vendor = machine.text("\(folder)/idVendor").flatMap(Self.number),
                let product = machine.text("\(folder)/idProduct").flatMap(Self.number)
            else { continue }
            (self.vendor, self.product) = (vendor, product)
            return
        }
        return nil
    }

    private static func number(_ text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isHexDigit }
        return digits.count == 4 ? digits.lowercased() : nil
    }
}
