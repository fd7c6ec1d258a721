package npmver
