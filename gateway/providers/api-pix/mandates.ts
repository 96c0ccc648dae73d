import Type from 'typebox'
import { readDate } from '../../../engine/shared/calendar.ts'
import type { MandateAtBank, MandateChargeAtBank, PixReceived } from '../port.ts'
import { attemptStates, chargeStates, codeOfEnd, mandateStates } from './mandate-states.ts'
import { itemsOf, readPix } from './pix.ts'
import type { BankProfile } from './profile.ts'
import { hasShape } from './shape.ts'

/** What is read of mandates (`GET /rec/{idRec}`) and of their charges (`GET /cobr/{txid}`). */
const RecShown = Type.Object({
  idRec: Type.String(),
  status: Type.String(),
  encerramento: Type.Optional(Type.Unknown()),
})

/** Reads a mandate; null where it makes no sense. */
export const readMandate = (shown: unknown): MandateAtBank | null => {
  if (!hasShape(RecShown, shown)) return null
  const state = mandateStates[shown.status]
  if (state === undefined) return null
  return {
    mandateId: shown.idRec,
    state,
    code: codeOfEnd(shown.encerramento),
    closedBy: closedBy(shown.encerramento, state),
  }
}

/** Only the payer or their bank rejects; who cancels is said. */
const closedBy = (end: unknown, state: MandateAtBank['state']): MandateAtBank['closedBy'] => {
  if (state === 'REJECTED') return 'PAYER'
  const by = (end as { cancelamento?: { solicitante?: unknown } } | undefined)?.cancelamento?.solicitante
  if (typeof by !== 'string') return null
  return by.endsWith('RECEBEDOR') ? 'RECEIVER' : by.endsWith('PAGADOR') ? 'PAYER' : null
}

export const CobrShown = Type.Object({
  txid: Type.String(),
  status: Type.String(),
  idRec: Type.String(),
  valor: Type.Object({ original: Type.Unknown() }),
  calendario: Type.Object({ dataDeVencimento: Type.String() }),
  encerramento: Type.Optional(Type.Unknown()),
  tentativas: Type.Optional(Type.Unknown()),
  pix: Type.Optional(Type.Unknown()),
})
const AttemptShown = Type.Object({
  dataLiquidacao: Type.String(),
  status: Type.String(),
  tipo: Type.Optional(Type.String()),
  endToEndId: Type.Optional(Type.String()),
  rejeicao: Type.Optional(Type.Object({ codigo: Type.Optional(Type.String()) })),
})

/** An attempt with what it is: the first (AGND), the payer's bank's own (RIFL), or one that we requested (NTAG). */
export type AttemptAtBank = MandateChargeAtBank['attempts'][number] & { readonly type: string | null }

/** Reads the attempts of a charge; those that make no sense are left out. */
export const readAttempts = (tentativas: unknown): readonly AttemptAtBank[] =>
  itemsOf(tentativas).flatMap((item): readonly AttemptAtBank[] => {
    if (!hasShape(AttemptShown, item)) return []
    const state = attemptStates[item.status]
    const dueDate = readDate(item.dataLiquidacao.slice(0, 10))
    if (state === undefined || dueDate === null) return []
    const code = item.rejeicao?.codigo ?? null
    return [{ endToEndId: item.endToEndId ?? null, state, dueDate, code, type: item.tipo ?? null }]
  })

/** Reads a charge of a mandate; null where it or one of its payments makes no sense. */
export const readMandateCharge = (
  shown: unknown,
  profile: Pick<BankProfile, 'payerIn' | 'taxWithheldIn' | 'tariffIn'>,
): MandateChargeAtBank | null => {
  if (!hasShape(CobrShown, shown)) return null
  const state = chargeStates[shown.status]
  const payments = itemsOf(shown.pix).map((item) => readPix(item, profile))
  if (state === undefined || !payments.every((one): one is PixReceived => one !== null)) return null
  return {
    txid: shown.txid,
    state,
    attempts: readAttempts(shown.tentativas).map(({ type: _, ...attempt }) => attempt),
    payments: payments.map((one) => ({ ...one, txid: one.txid ?? shown.txid })),
  }
}
