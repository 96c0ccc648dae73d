/** How large the bare handler's answer is: what the service answers for a charge. Its own size is printed at every run. */
export const answerBytes = 3_300

/** Text that stands for the copy-and-paste code and the QR image, which the bare handler is spared. */
export const fillerOf = (bytes: number): string => 'A'.repeat(Math.max(0, bytes))
