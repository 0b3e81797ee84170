// The values of which compositions are made, and the errors: `import Splitreel` brings them along.
@_exported public import Authoring
@_exported public import Diagnostics
@_exported public import JSONText
@_exported public import MediaFacts
@_exported public import MediaTime
@_exported public import Outputs
@_exported public import Pictures
@_exported public import SplitreelFiles
@_exported public import SplitreelProject
