/** The receiver's id of a `cob` or `cobv` charge (API Pix 2.9, `TxId`): 26 to 35 letters and digits. */
export const isTxid = (text: string): boolean => /^[A-Za-z0-9]{26,35}$/.test(text)

/**
 * What field 62-05 of a static code may hold (BR Code manual): a txid of 1 to 25 letters and digits, or the mark for
 * none.
 */
export const isReferenceLabel = (text: string): boolean => text === noTxid || /^[A-Za-z0-9]{1,25}$/.test(text)

/** Field 62-05 without a txid, and in every dynamic code. */
export const noTxid = '***'
