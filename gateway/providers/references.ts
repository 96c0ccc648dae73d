import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { SplitTransferId, TransferId } from '../../engine/shared/ids.ts'

/**
 * What a provider knows an ask by (rails, section 1.2). It is made from ids in the journal, so it is the same after a crash, and it is never
 * used for anything else: of a refund or return by PIX the id of that, of what concerns a PIX charge its txid, of everything else the id of the call. Letters and digits alone, 35 at most.
 */
export const referenceOf = (request: ProviderCallRequest): string => {
  switch (request.operation) {
    case 'REFUND':
      return request.rail === 'PIX' && request.refundId !== null
        ? ulidOf(request.refundId)
        : referenceOfCall(request.reference)
    case 'RETURN':
      return request.pixReturn!.id
    case 'RETURN_SUSPENSE':
      return request.returnReference
    // A bank knows a charge by its txid, whatever it is asked about it.
    case 'REGISTER':
    case 'CANCEL':
    case 'READ_CHARGE':
      return request.pix!.txid
    case 'SCHEDULE':
      return request.charge!.txid
    case 'PAY_OUT':
      return referenceOfPayout(request.reference)
    default:
      return referenceOfCall(request.reference)
  }
}

/** The reference of a call: the ULID of the actor that makes it, and which of its calls it is. */
export const referenceOfCall = (callId: string): string => {
  const dot = callId.indexOf('.')
  const number = Number(callId.slice(dot + 1))
    .toString(36)
    .toUpperCase()
  return ulidOf(callId.slice(0, dot)) + number.padStart(2, '0')
}

/** The reference of a call for a recipient's part: the mark says that it is no transfer of a person. Such a transfer has few calls. */
const referenceOfPayout = (callId: string): string => {
  const dot = callId.indexOf('.')
  return `${ulidOf(callId.slice(0, dot))}${payoutMark}${callId.slice(dot + 1)}`
}

/** No call number begins so: it would be the thousandth. */
const payoutMark = 'S'

/** A reference of money that was sent, within a text; null where there is none. */
export const payOutReferenceIn = (text: string): string | null =>
  /(?<![0-9A-Za-z])[0-9A-HJKMNP-TV-Z]{26}[0S][1-9](?![0-9A-Za-z])/.exec(text)?.[0] ?? null

/** Whose money a reference was made for; null for what we never made. */
export const payOutOfReference = (
  reference: string,
):
  | { readonly transferId: TransferId }
  | { readonly splitTransferId: SplitTransferId; readonly callNumber: number }
  | null => {
  const [, ulid, mark, number] = /^([0-9A-HJKMNP-TV-Z]{26})([0S])([1-9])$/.exec(reference) ?? []
  if (ulid === undefined) return null
  if (mark === payoutMark)
    return { splitTransferId: `spt_${ulid}` as SplitTransferId, callNumber: Number(number) }
  // A transfer of a person has one call alone.
  return number === '1' ? { transferId: `trf_${ulid}` as TransferId } : null
}

const ulidOf = (id: string): string => id.slice(id.indexOf('_') + 1)
