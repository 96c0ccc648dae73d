/** What people read about a code. */
export type ProblemText = {
  /** The problem in a few words, the same at every occurrence (RFC 9457, section 3.1.3). */
  readonly title: string
  /** What happened, in plain text. It is the `detail` of answers that have nothing more specific to say. */
  readonly cause: string
  /** What the caller can do about it, in Markdown; names of members and headers are code. */
  readonly remedy: string
}
