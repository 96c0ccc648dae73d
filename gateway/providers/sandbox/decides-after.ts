/** What a provider takes its time for is decided after this (decisions, section 29). */
export const decidesAfterMs = 5_000
