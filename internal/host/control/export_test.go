package control

// DialAllWithin is DialAll with another limit.
var DialAllWithin = dialAll
