import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { TransferId } from '../../engine/shared/ids.ts'

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

/** The transfer that a reference was made for, if it was made for one by its first and only call; null for what we never made. */
export const transferOfReference = (reference: string): TransferId | null => {
  const found = /^([0-9A-HJKMNP-TV-Z]{26})01$/.exec(reference)
  return found === null ? null : (`trf_${found[1]}` as TransferId)
}

const ulidOf = (id: string): string => id.slice(id.indexOf('_') + 1)
