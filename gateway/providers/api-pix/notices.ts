import Type from 'typebox'
import type { RailNotice, RawNotice } from '../port.ts'
import { readValor } from './amounts.ts'
import { chargeStates, codeOfEnd, mandateStates } from './mandate-states.ts'
import { isReturnThrough, itemsOf, momentIn, readReturn, txidOf } from './pix.ts'
import { hasShape } from './shape.ts'

/**
 * What came to the address for notices (rails, section 2.6 and R5): `{"pix": […]}`, `{"recs": […]}`, `{"cobsr": […]}`, or a bare list. Every item is
 * known by its own members, whatever the path and the list are called. Test bodies and what cannot be read are no notices: whatever was missed is
 * found by asking.
 */
export const readBankNotice = (
  { body }: Pick<RawNotice, 'body'>,
  pixKey: string,
  nowMs: number,
): readonly RailNotice[] => {
  const parsed = parse(body)
  if (typeof parsed !== 'object' || parsed === null) return []
  const items = Array.isArray(parsed) ? parsed : [parsed, ...Object.values(parsed).flatMap(itemsOf)]
  return items.slice(0, itemsMax).flatMap((item) => noticesIn(item, pixKey, nowMs))
}

/** The listener takes no more (rails, section 1.3). */
const itemsMax = 1_000

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}

const id = (max: number) => Type.String({ pattern: `^[A-Za-z0-9]{1,${max}}$` })
const endToEndId = Type.String({ pattern: '^[A-Za-z0-9]{32}$' })
const anything = Type.Optional(Type.Unknown())

const CobrItem = Type.Object({
  idRec: id(40),
  txid: id(35),
  status: Type.String(),
  tentativas: anything,
  encerramento: anything,
  pix: anything,
})
const RecItem = Type.Object({ idRec: id(40), status: Type.String(), encerramento: anything })
/** Efí reports PIX that were sent to the same address, as requests of ours. */
const SentItem = Type.Object({
  endToEndId,
  tipo: Type.Literal('SOLICITACAO'),
  status: Type.String(),
  gnExtras: Type.Object({ idEnvio: id(35) }),
  devolucoes: anything,
  horario: anything,
})
const PixItem = Type.Object({
  endToEndId,
  txid: anything,
  valor: Type.Unknown(),
  chave: anything,
  horario: anything,
  devolucoes: anything,
})

const noticesIn = (item: unknown, pixKey: string, nowMs: number): readonly RailNotice[] => {
  const pixIn = (shown: unknown) => pixNotices(shown, pixKey, nowMs) ?? []
  const ofMandate = mandateChargeNotice(item, nowMs) ?? mandateNotice(item, nowMs)
  if (ofMandate !== null) return [ofMandate, ...itemsOf((item as { pix?: unknown }).pix).flatMap(pixIn)]
  return hasShape(SentItem, item) ? [sentNotice(item.gnExtras.idEnvio, item, nowMs)] : pixIn(item)
}

/**
 * The notices that a PIX stands for: its own, and one of each of its returns. Lists are of the whole account at the bank, to which other keys of
 * other connections may belong: a PIX to one of those, without a charge, is none of ours. Null where it cannot be read.
 */
export const pixNotices = (shown: unknown, pixKey: string, nowMs: number): readonly RailNotice[] | null => {
  if (!hasShape(PixItem, shown)) return null
  const amountCents = readValor(shown.valor)
  if (amountCents === null) return null
  const txid = txidOf(shown.txid)
  if (txid === null && typeof shown.chave === 'string' && !isSameKey(shown.chave, pixKey)) return []
  const atMs = momentIn(shown.horario) ?? nowMs
  const { endToEndId } = shown
  return [
    {
      kind: 'PIX_IN',
      key: endToEndId,
      atMs,
      data: { endToEndId, txid, amountCents },
    },
    ...itemsOf(shown.devolucoes).flatMap((item): readonly RailNotice[] => {
      const made = readReturn(item)
      if (made === null) return []
      const { id: returnId, status: state, doneAtMs, askedAtMs } = made
      return [
        {
          kind: 'PIX_RETURN',
          key: `${endToEndId}:${returnId}:${state}`,
          atMs: doneAtMs ?? (askedAtMs === 0 ? nowMs : askedAtMs),
          data: { endToEndId, returnId, state },
        },
      ]
    }),
  ]
}

/** Telephone numbers come with and without their country, the rest in any case. */
const isSameKey = (one: string, other: string): boolean => {
  if (one.toLowerCase() === other.toLowerCase()) return true
  const [a, b] = [one, other].map((key) => key.replace(/^\+(?:55)?/, '')) as [string, string]
  return one.startsWith('+') !== other.startsWith('+') && a.replace(/^55/, '') === b.replace(/^55/, '')
}

/** The notice of a PIX that we sent: money that came back shows in its key, so that it is no repeat. */
export const sentNotice = (
  reference: string,
  { status, devolucoes, horario }: { status: string; devolucoes?: unknown; horario?: unknown },
  nowMs: number,
): RailNotice => {
  const returned = itemsOf(devolucoes).filter(isReturnThrough).length
  return {
    kind: 'PAYOUT_STATE',
    key: `${reference}:${status}${returned > 0 ? `:${returned}` : ''}`,
    atMs: momentIn(horario) ?? nowMs,
    data: { reference, state: returned > 0 ? 'RETURNED' : status },
  }
}

/** The notice of a mandate (`rec`); null where it cannot be read. */
export const mandateNotice = (shown: unknown, nowMs: number): RailNotice | null => {
  if (!hasShape(RecItem, shown)) return null
  const { idRec: mandateId, status, encerramento } = shown
  return {
    kind: 'MANDATE',
    key: `${mandateId}:${status}`,
    atMs: nowMs,
    data: { mandateId, state: mandateStates[status] ?? status, code: codeOfEnd(encerramento) },
  }
}

/** The notice of a charge by a mandate (`cobr`): its key changes with each attempt, which its own state does not. */
export const mandateChargeNotice = (shown: unknown, nowMs: number): RailNotice | null => {
  if (!hasShape(CobrItem, shown)) return null
  const { txid, status, tentativas, encerramento } = shown
  const attempts = itemsOf(tentativas).map((of) => String((of as { status?: unknown }).status).charAt(0))
  return {
    kind: 'MANDATE_CHARGE',
    key: `${txid}:${status}:${attempts.join('')}`,
    atMs: nowMs,
    data: { txid, state: chargeStates[status] ?? status, code: codeOfEnd(encerramento) },
  }
}
