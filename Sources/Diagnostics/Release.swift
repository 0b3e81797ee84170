/// The release of splitreel that this program is.
package enum Release {
    package static let version = "0.2.0"
}
