import Foundation
import PackagePlugin

/// Makes a source file of the Swift blocks of each page: the README, CONTRIBUTING, the pages in `Documentation`, and the articles.
///
/// The compiler and the tests name the lines of the pages.
@main struct DocumentationExamples: BuildToolPlugin {
    /// Waits in real time, so that its block is in a suite of the tests, which has its turn.
    private static let written = "ScriptingAStandIn.md"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let articles = ["Documentation", "Sources"].flatMap { folder -> [URL] in
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: [.isSymbolicLinkKey])
            return files?.compactMap { $0 as? URL } ?? []
        }.filter { page in
            let isLink = (try? page.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink == true
            return page.pathExtension == "md" && page.lastPathComponent != Self.written && !isLink
        }
        let script = root.appending(path: "Tests/DocumentationExamples/blocks.awk")
        return (["README.md", "CONTRIBUTING.md"].map { root.appending(path: $0) } + articles).map { page in
            let file = context.pluginWorkDirectoryURL.appending(
                path: "\(page.deletingPathExtension().lastPathComponent).swift")
            return .buildCommand(
                displayName: "Examples of \(page.lastPathComponent)", executable: URL(filePath: "/usr/bin/awk"),
                arguments: ["-v", "file=\(file.path)", "-f", script.path, page.path], inputFiles: [script, page],
                outputFiles: [file])
        }
    }
}
