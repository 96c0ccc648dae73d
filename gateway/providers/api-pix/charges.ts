import Type, { type Static } from 'typebox'
import { readInstant } from '../../../engine/shared/calendar.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import type { Deadline } from '../http/http.ts'
import type { ChargeStatus, InquiryOutcome, PixReceived, ProviderAsk, ProviderOutcome } from '../port.ts'
import { readValor, valorOf } from './amounts.ts'
import type { BankClient } from './client.ts'
import { codeOfCharge } from './dynamic-code.ts'
import { collectPages } from './pages.ts'
import { itemsOf, readPix } from './pix.ts'
import { hasShape } from './shape.ts'
import { type BankVerdict, bankRefusal, verdictOf } from './verdict.ts'

/** Charges at the bank: `/cob`, and `/cobv` where they have a due date (rails, sections 2.1 to 2.5). */
type Ask<Name extends ProviderAsk['operation']> = Extract<ProviderAsk, { readonly operation: Name }>
type Kind = 'cob' | 'cobv'

const silent = { type: 'SILENT' } as const

/** `PUT /cob/{txid}`. The same bytes again are no revision, and what a bank refuses is looked up before it counts as refused. */
export const registerCharge = async (
  client: BankClient,
  ask: Ask<'REGISTER'>,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { data } = ask
  if (data.rail !== 'PIX') return refused('a bank that speaks API Pix registers no boletos')
  if (data.due !== null && partyOf(data.customer) === null)
    return refused('a charge with a due date needs the document of its payer')
  const kind: Kind = data.due === null ? 'cob' : 'cobv'
  const reply = await client.call(
    { verb: 'PUT', path: [kind, ask.reference], body: bodyOf(ask, data) },
    deadline,
  )
  const verdict = verdictOf(reply)
  switch (verdict.type) {
    case 'OK':
      return registered(client, ask, verdict.body)
    case 'REFUSED':
    case 'ABSENT': {
      const found = await inquireRegistered(client, ask, deadline)
      if (found.type !== 'NOT_FOUND') return found
      // What the bank knows by this id and does not show yet may be this very charge.
      if (verdict.problem.saysIdWasUsed) return silent
      return { type: 'REFUSED', refusal: bankRefusal(verdict.problem, 'REGISTRATION_REJECTED') }
    }
    case 'REMOVED':
      return removedAtBank
    default:
      return elsewise(verdict)
  }
}

/** `GET /cob/{txid}` after a registration. */
export const inquireRegistered = async (
  client: BankClient,
  ask: Ask<'REGISTER'>,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  if (ask.data.rail !== 'PIX') return { type: 'NOT_FOUND' }
  const kind: Kind = ask.data.due === null ? 'cob' : 'cobv'
  const verdict = verdictOf(await client.call({ verb: 'GET', path: [kind, ask.reference] }, deadline))
  if (verdict.type === 'OK') return registered(client, ask, verdict.body)
  if (verdict.type === 'ABSENT') return { type: 'NOT_FOUND' }
  if (verdict.type === 'REMOVED') return removedAtBank
  return elsewise(verdict, false)
}

/** `PATCH /cob/{txid}`: nothing but the status, since a bank would refuse more. A charge that is paid says so with its payments. */
export const cancelCharge = async (
  client: BankClient,
  ask: Ask<'CANCEL'>,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  for (const kind of ['cob', 'cobv'] as const) {
    const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
    const path = [kind, ask.reference] as const
    const verdict = verdictOf(await client.call({ verb: 'PATCH', path, body }, deadline))
    // The ask does not say which of the two it is.
    if (verdict.type === 'ABSENT') continue
    if (verdict.type === 'OK') {
      const state = await stateOf(client, ask, verdict.body, deadline)
      return isActive(state) ? silent : state
    }
    if (verdict.type === 'REMOVED') return doneWith(ask, 'REMOVED_BY_PROVIDER', [])
    if (verdict.type !== 'REFUSED') return elsewise(verdict)
    const found = await readState(client, ask, deadline)
    if (found.type === 'NOT_FOUND' || isActive(found))
      return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
    return found
  }
  return refused(unknownCharge, 'NaoEncontrado')
}

/** What became of a cancellation: a charge that is still payable was not cancelled. */
export const inquireCancelled = async (
  client: BankClient,
  ask: Ask<'CANCEL'>,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const found = await readState(client, ask, deadline)
  return isActive(found) ? { type: 'NOT_FOUND' } : found
}

/** The state of a charge with what was paid. */
export const readChargeState = async (
  client: BankClient,
  ask: Ask<'READ_CHARGE'>,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const found = await readState(client, ask, deadline)
  return found.type === 'NOT_FOUND' ? refused(unknownCharge, 'NaoEncontrado') : found
}

/** The same, as an inquiry. */
export const inquireChargeState = (
  client: BankClient,
  ask: Ask<'READ_CHARGE'>,
  deadline: Deadline,
): Promise<InquiryOutcome> => readState(client, ask, deadline)

const unknownCharge = 'the bank knows no such charge'

const bodyOf = (
  { amountCents }: Ask<'REGISTER'>,
  { due, expiresInSeconds, pixKey, customer, description, merchantReference }: PixCharge,
) => {
  const party = partyOf(customer)
  return {
    calendario:
      due === null
        ? { expiracao: expiresInSeconds }
        : // A bank that is told nothing takes payments for 30 days more.
          { dataDeVencimento: due.date, validadeAposVencimento: due.payableForDays },
    ...(party === null ? {} : { devedor: party }),
    valor: {
      original: valorOf(amountCents),
      ...(due === null ? { modalidadeAlteracao: 0 } : {}),
    },
    chave: pixKey,
    ...(description === null || description === '' ? {} : { solicitacaoPagador: cut(description, 140) }),
    ...(merchantReference === null || merchantReference === ''
      ? {}
      : { infoAdicionais: [{ nome: 'Referência', valor: cut(merchantReference, 200) }] }),
  }
}

type PixCharge = Extract<Ask<'REGISTER'>['data'], { readonly rail: 'PIX' }>

/** A payer as banks write one; null without a document. */
export const partyOf = (
  customer: Customer | null,
  nameMax = 200,
): { readonly nome: string; readonly cpf?: string; readonly cnpj?: string } | null => {
  if (customer === null || customer.document === null || customer.name === '') return null
  const { name, document, documentType } = customer
  const nome = cut(name, nameMax)
  return documentType === 'CNPJ' ? { cnpj: document, nome } : { cpf: document, nome }
}

/** The first characters of a text, none of them cut in half. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')

const ChargeShown = Type.Object({
  txid: Type.String(),
  status: Type.String(),
  valor: Type.Object({ original: Type.Unknown() }),
  chave: Type.Optional(Type.String()),
  calendario: Type.Object({ criacao: Type.String() }),
  location: Type.Optional(Type.String()),
  loc: Type.Optional(Type.Object({ location: Type.Optional(Type.String()) })),
  pixCopiaECola: Type.Optional(Type.String()),
  pix: Type.Optional(Type.Unknown()),
})

const registered = (
  { settings }: BankClient,
  { reference, openedAtMs }: Ask<'REGISTER'>,
  body: unknown,
): ProviderOutcome => {
  if (!hasShape(ChargeShown, body)) return silent
  const amountCents = readValor(body.valor.original)
  // A time without its zone is none.
  const createdAtMs = readInstant(body.calendario.criacao) ?? openedAtMs
  if (amountCents === null) return silent
  if (body.txid === reference && body.status.startsWith('REMOVIDA')) return removedAtBank
  const code = codeOfCharge({
    copyPaste: body.pixCopiaECola,
    location: body.location ?? body.loc?.location,
    amountCents,
    merchant: { name: settings.merchantName, city: settings.merchantCity },
  })
  if (code === null) return silent
  return {
    type: 'DONE',
    echo: { reference: body.txid, amountCents, payee: body.chave ?? null },
    evidence: { kind: 'PIX_CHARGE', ...code, createdAtMs },
  }
}

const readState = async (
  client: BankClient,
  ask: Ask<'CANCEL' | 'READ_CHARGE'>,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  for (const kind of ['cob', 'cobv'] as const) {
    const verdict = verdictOf(await client.call({ verb: 'GET', path: [kind, ask.reference] }, deadline))
    if (verdict.type === 'ABSENT') continue
    if (verdict.type === 'OK') return stateOf(client, ask, verdict.body, deadline)
    if (verdict.type === 'REMOVED') return doneWith(ask, 'REMOVED_BY_PROVIDER', [])
    return elsewise(verdict, false)
  }
  return { type: 'NOT_FOUND' }
}

/** A charge that is paid without showing its payments is not decided: what was paid has to be known with it. */
const stateOf = async (
  client: BankClient,
  ask: Ask<'CANCEL' | 'READ_CHARGE'>,
  body: unknown,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  if (!hasShape(ChargeShown, body) || body.txid !== ask.reference) return silent
  const status = statuses[body.status]
  if (status === undefined) return silent
  const shown = paymentsOf(client, body)
  if (shown === null) return silent
  if (status !== 'PAID' || shown.length > 0)
    return doneWith(ask, status === 'ACTIVE' && shown.length > 0 ? 'PAID' : status, shown)
  const found = await findPayments(client, ask, deadline)
  if (found === null) return silent
  return found.length === 0
    ? { type: 'PENDING', againInMs: null, evidence: null }
    : doneWith(ask, status, found)
}

const statuses: Readonly<Record<string, ChargeStatus>> = {
  ATIVA: 'ACTIVE',
  CONCLUIDA: 'PAID',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'REMOVED_BY_RECEIVER',
  REMOVIDA_PELO_PSP: 'REMOVED_BY_PROVIDER',
}

/** Null where one of them cannot be read: no payment may be lost. Those within a charge need not repeat its id. */
const paymentsOf = (
  { profile }: BankClient,
  { pix, txid }: Static<typeof ChargeShown>,
): readonly PixReceived[] | null => {
  const read = itemsOf(pix).map((item) => readPix(item, profile))
  return read.every((one) => one !== null) ? read.map((one) => ({ ...one, txid: one.txid ?? txid })) : null
}

const findPayments = async (
  client: BankClient,
  { reference, data }: Ask<'CANCEL' | 'READ_CHARGE'>,
  deadline: Deadline,
): Promise<readonly PixReceived[] | null> => {
  const fromMs = data.registeredAtMs - clocksDifferMs
  const window = { fromMs, untilMs: Math.max(client.io.realNow(), fromMs) }
  const items = await collectPages(
    client,
    { path: ['pix'], list: 'pix', window, query: { txid: reference } },
    deadline,
  )
  const read = items?.map((item) => readPix(item, client.profile))
  return read?.every((one) => one !== null) ? read : null
}

/** The bank's clock may be behind ours. */
const clocksDifferMs = 3_600_000

const isActive = (outcome: InquiryOutcome): boolean =>
  outcome.type === 'DONE' && outcome.evidence?.kind === 'CHARGE_STATE' && outcome.evidence.status === 'ACTIVE'

const doneWith = (
  { reference }: ProviderAsk,
  status: ChargeStatus,
  payments: readonly PixReceived[],
): ProviderOutcome => ({
  type: 'DONE',
  echo: { reference, amountCents: null, payee: null },
  evidence: { kind: 'CHARGE_STATE', status, payments },
})

const removedAtBank: ProviderOutcome = {
  type: 'UNDONE',
  how: 'VOIDED',
  message: 'the charge was removed at the bank',
}

const refused = (text: string, name: string | null = null): ProviderOutcome => ({
  type: 'REFUSED',
  refusal: bankRefusal({ name, text }, 'REGISTRATION_REJECTED'),
})

/** What the remaining verdicts mean. An inquiry that is denied says nothing of what was done. */
export const elsewise = (
  verdict: Exclude<BankVerdict, { readonly type: 'OK' }>,
  isAsk = true,
): Exclude<ProviderOutcome, { readonly type: 'DONE' | 'PARTIAL' | 'UNDONE' }> => {
  if (verdict.type === 'LATER') return { type: 'PENDING', againInMs: verdict.afterMs, evidence: null }
  if (verdict.type === 'DENIED' && isAsk) return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
  return silent
}
