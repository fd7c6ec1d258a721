package pluginproc

// StartLimited is Start with a smaller limit for one frame.
var StartLimited = start
