extension Int {}
