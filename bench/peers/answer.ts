/**
 * How large a peer's answer is: about what the service answers for a charge, which holds a QR image of 1.3 KB twice and a
 * kilobyte of JSON. The service's own size is printed at every run; change this when they grow apart.
 */
export const answerBytes = 3_500

/** Text that stands for the copy-and-paste code and the QR images. A peer is spared to draw them. */
export const fillerOf = (bytes: number): string => 'A'.repeat(Math.max(0, bytes))
