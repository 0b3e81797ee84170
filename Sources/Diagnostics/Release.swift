/// The release of splitreel that this program is.
public enum Release {
    public static let version = "0.2.0"
}
