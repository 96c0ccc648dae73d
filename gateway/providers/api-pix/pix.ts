import Type, { type Static } from 'typebox'
import { readInstant } from '../../../engine/shared/calendar.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import type { PixReceived, PixReturnAtBank } from '../port.ts'
import { readValor } from './amounts.ts'
import type { BankProfile } from './profile.ts'
import { hasShape } from './shape.ts'

const text = Type.Optional(Type.Unknown())

/** A PIX as inquiries, lists and notices show it. Fields that are not named here are ignored. */
export const PixShown = Type.Object({
  endToEndId: Type.String({ pattern: '^[A-Za-z0-9]{32}$' }),
  txid: text,
  valor: Type.Unknown(),
  chave: text,
  horario: Type.String(),
  componentesValor: text,
  devolucoes: text,
  pagador: text,
  gnExtras: text,
})

/** Reads a PIX; null where something that counts is missing or makes no sense. */
export const readPix = (
  shown: unknown,
  { payerIn, taxWithheldIn, tariffIn }: Pick<BankProfile, 'payerIn' | 'taxWithheldIn' | 'tariffIn'>,
): PixReceived | null => {
  if (!hasShape(PixShown, shown)) return null
  const amountCents = readValor(shown.valor)
  const paidAtMs = readInstant(shown.horario)
  const returns = itemsOf(shown.devolucoes).map(readReturn)
  const taxWithheldCents = taxOf(shown, taxWithheldIn)
  if (amountCents === null || paidAtMs === null || taxWithheldCents === null) return null
  if (!returns.every((read): read is PixReturnAtBank => read !== null)) return null
  return {
    endToEndId: shown.endToEndId,
    txid: txidOf(shown.txid),
    pixKey: typeof shown.chave === 'string' ? shown.chave : null,
    amountCents,
    componentsCents: sumOf(shown.componentesValor),
    paidAtMs,
    ...(taxWithheldCents > 0 && { taxWithheldCents }),
    ...tariffOf(shown, tariffIn),
    payer: payerOf(payerIn === 'pagador' ? shown.pagador : payerIn === null ? null : gnPayer(shown)),
    returns,
  }
}

/** The tax that a profile's field names; nothing where there is none, and null where it makes no sense. */
const taxOf = (shown: object, path: string | null): Cents | null => {
  if (path === null) return toCents(0)
  let found: unknown = shown
  for (const name of path.split('.'))
    found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return found === undefined || found === null ? toCents(0) : readValor(found)
}

/** What the bank took for it, where it says so. What cannot be read is left out: a fee is never a reason not to book a payment. */
const tariffOf = (
  { gnExtras }: Static<typeof PixShown>,
  tariffIn: BankProfile['tariffIn'],
): Pick<PixReceived, 'tariffCents'> => {
  const shown = (gnExtras as { readonly tarifa?: unknown } | null | undefined)?.tarifa
  const tariffCents = tariffIn === null || shown === undefined ? null : readValor(shown)
  return tariffCents === null ? {} : { tariffCents }
}

/** A txid of one of our charges could be; null for what static codes have in its place. */
export const txidOf = (shown: unknown): string | null =>
  typeof shown === 'string' && /^[A-Za-z0-9]{1,35}$/.test(shown) ? shown : null

/** A list, though some banks send its only item bare. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? list : typeof list === 'object' && list !== null ? [list] : []

const ReturnShown = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  rtrId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{32}$' })),
  valor: Type.Unknown(),
  natureza: Type.Optional(Type.String()),
  horario: Type.Optional(Type.Object({ solicitacao: text, liquidacao: text })),
  status: Type.String(),
  motivo: text,
})

/** Reads a return (`devolucao`); null where it makes no sense. */
export const readReturn = (shown: unknown): PixReturnAtBank | null => {
  if (!hasShape(ReturnShown, shown)) return null
  // A state that is not known yet has not ended.
  const status = statuses[shown.status] ?? 'PROCESSING'
  const amountCents = readValor(shown.valor)
  if (amountCents === null) return null
  return {
    id: shown.id,
    returnId: shown.rtrId ?? null,
    amountCents,
    status,
    nature: natureOf(shown.natureza),
    askedAtMs: instantOf(shown.horario?.solicitacao) ?? instantOf(shown.horario?.liquidacao) ?? 0,
    doneAtMs: status === 'DONE' ? instantOf(shown.horario?.liquidacao) : null,
    reason: typeof shown.motivo === 'string' ? shown.motivo : null,
  }
}

const statuses: Readonly<Record<string, PixReturnAtBank['status']>> = {
  EM_PROCESSAMENTO: 'PROCESSING',
  DEVOLVIDO: 'DONE',
  NAO_REALIZADO: 'NOT_DONE',
}

/** A nature of a newer version that is a MED stays one. */
const natureOf = (shown: string | undefined): PixReturnAtBank['nature'] =>
  natures[shown ?? 'ORIGINAL'] ?? (shown?.startsWith('MED') ? 'MED_FRAUD' : 'ORIGINAL')

const natures: Readonly<Record<string, PixReturnAtBank['nature']>> = {
  ORIGINAL: 'ORIGINAL',
  RETIRADA: 'WITHDRAWAL',
  MED_FRAUDE: 'MED_FRAUD',
  MED_OPERACIONAL: 'MED_OPERATIONAL',
  MED_PIX_AUTOMATICO: 'MED_PIX_AUTOMATICO',
}

const instantOf = (value: unknown): number | null => (typeof value === 'string' ? readInstant(value) : null)

const component = Type.Optional(Type.Object({ valor: Type.Unknown() }))
const Components = Type.Object({
  original: Type.Object({ valor: Type.Unknown() }),
  saque: component,
  troco: component,
  juros: component,
  multa: component,
  abatimento: component,
  desconto: component,
})
const signs = { original: 1, saque: 1, troco: 1, juros: 1, multa: 1, abatimento: -1, desconto: -1 } as const

const sumOf = (components: unknown): Cents | null => {
  if (!hasShape(Components, components)) return null
  let cents = 0
  for (const name of Object.keys(signs) as (keyof typeof signs)[]) {
    const part = components[name]
    const valor = part === undefined ? 0 : readValor(part.valor)
    if (valor === null) return null
    cents += signs[name] * valor
  }
  return toCents(cents)
}

const Payer = Type.Object({ nome: Type.String(), cpf: text, cnpj: text })

const gnPayer = ({ gnExtras }: Static<typeof PixShown>): unknown =>
  (gnExtras as { readonly pagador?: unknown } | null | undefined)?.pagador

/** A document with stars in it is none. */
const payerOf = (shown: unknown): PixReceived['payer'] => {
  if (!hasShape(Payer, shown)) return null
  const document = [shown.cpf, shown.cnpj].find(
    (of) => typeof of === 'string' && /^(\d{11}|[0-9A-Z]{14})$/.test(of),
  )
  return { name: shown.nome, document: (document as string | undefined) ?? null }
}

/** A moment, or the later of those in an object with the moments of what was requested and settled. */
export const momentIn = (shown: unknown): number | null => {
  if (typeof shown === 'string') return readInstant(shown)
  if (typeof shown !== 'object' || shown === null) return null
  const { liquidacao, solicitacao } = shown as Readonly<Record<string, unknown>>
  return momentIn(liquidacao) ?? momentIn(solicitacao)
}

/** Whether a return of what was sent has settled: before that it is not money. */
export const isReturnThrough = (shown: unknown): boolean => {
  const { status = 'DEVOLVIDO' } = (shown ?? {}) as { readonly status?: unknown }
  return status === 'DEVOLVIDO'
}
