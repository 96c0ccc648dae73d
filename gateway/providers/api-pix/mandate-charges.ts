import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Deadline } from '../http/http.ts'
import type { InquiryOutcome, ProviderAsk, ProviderOutcome } from '../port.ts'
import { readValor, valorOf } from './amounts.ts'
import { cut, elsewise } from './charges.ts'
import type { BankClient } from './client.ts'
import { codeOfEnd } from './mandate-states.ts'
import { type AttemptAtBank, CobrShown, readAttempts } from './mandates.ts'
import { hasShape } from './shape.ts'
import { bankRefusal, verdictOf } from './verdict.ts'

/** Charges by a mandate (`/cobr`, rails, section 4; R3, R4 and R9): scheduled, tried once more, and called off. */
type Schedule = Extract<ProviderAsk, { readonly operation: 'SCHEDULE' }>
/** About a charge that was scheduled. */
type Later = { readonly data: { readonly txid: string; readonly dueDate: CalendarDate } }

const silent = { type: 'SILENT' } as const

/** `PUT /cobr/{txid}`. What the bank refuses is looked up: it may be this very charge. */
export const scheduleCharge = async (
  client: BankClient,
  ask: Schedule,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { settings } = client
  const { data, reference } = ask
  if (settings.receiverAccount === undefined)
    return refusedHere('the connection does not say which account Pix Automático pays to')
  const body = {
    idRec: data.mandateId,
    calendario: { dataDeVencimento: data.dueDate },
    valor: { original: valorOf(ask.amountCents) },
    ajusteDiaUtil: true,
    recebedor: {
      conta: settings.receiverAccount,
      tipoConta: settings.receiverAccountType ?? 'CORRENTE',
      ...(settings.receiverBranch === undefined ? {} : { agencia: settings.receiverBranch }),
    },
    ...(data.description === null || data.description === ''
      ? {}
      : { infoAdicional: cut(data.description, 140) }),
  }
  const verdict = verdictOf(await client.call({ verb: 'PUT', path: ['cobr', reference], body }, deadline))
  if (verdict.type === 'OK') return scheduledAs(ask, verdict.body)
  if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
    return verdict.type === 'REMOVED' ? silent : elsewise(verdict)
  const found = await inquireScheduled(client, ask, deadline)
  if (found.type !== 'NOT_FOUND') return found
  if (verdict.problem.saysIdWasUsed) return silent
  return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
}

/** What became of a charge that was to be scheduled. */
export const inquireScheduled = async (
  client: BankClient,
  ask: Schedule,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const found = await readCobr(client, ask.reference, deadline)
  return found.type === 'FOUND' ? scheduledAs(ask, found.body) : found
}

/** `POST /cobr/{txid}/retentativa/{data}`: one attempt more on a day. A second one for the same day is refused. */
export const retryCharge = async (
  client: BankClient,
  ask: Later,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { txid, dueDate } = ask.data
  const path = ['cobr', txid, 'retentativa', dueDate] as const
  const verdict = verdictOf(await client.call({ verb: 'POST', path }, deadline))
  if (verdict.type === 'OK') return doneWithoutReference
  if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
    return verdict.type === 'REMOVED' ? silent : elsewise(verdict)
  const found = await inquireRetried(client, ask, deadline)
  return found.type === 'NOT_FOUND' ? { type: 'REFUSED', refusal: bankRefusal(verdict.problem) } : found
}

/** What became of a retry: it is an attempt of its day that is not the payer's bank's own. */
export const inquireRetried = async (
  client: BankClient,
  { data: { txid, dueDate } }: Later,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const found = await readCobr(client, txid, deadline)
  if (found.type !== 'FOUND') return found
  const isRetry = ({ type, ...of }: AttemptAtBank) =>
    of.dueDate === dueDate && (type === 'NTAG' || (type === null && found.dueDate < dueDate))
  return readAttempts(found.body.tentativas).some(isRetry) ? doneWithoutReference : { type: 'NOT_FOUND' }
}

/** `PATCH /cobr/{txid}`. It is refused from the day of the first attempt on (R4). */
export const callOffCharge = async (
  client: BankClient,
  ask: Later,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const body = { status: 'CANCELADA' }
  const path = ['cobr', ask.data.txid] as const
  const verdict = verdictOf(await client.call({ verb: 'PATCH', path, body }, deadline))
  if (verdict.type === 'OK')
    return hasShape(CobrShown, verdict.body) && verdict.body.status === 'CANCELADA'
      ? doneWithoutReference
      : silent
  if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
    return verdict.type === 'REMOVED' ? silent : elsewise(verdict)
  const found = await inquireCalledOff(client, ask, deadline)
  return found.type === 'NOT_FOUND' ? { type: 'REFUSED', refusal: bankRefusal(verdict.problem) } : found
}

/** What became of calling off. */
export const inquireCalledOff = async (
  client: BankClient,
  { data: { txid } }: Later,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const found = await readCobr(client, txid, deadline)
  if (found.type !== 'FOUND') return found
  return found.body.status === 'CANCELADA' ? doneWithoutReference : { type: 'NOT_FOUND' }
}

const readCobr = async (client: BankClient, txid: string, deadline: Deadline) => {
  const verdict = verdictOf(await client.call({ verb: 'GET', path: ['cobr', txid] }, deadline))
  if (verdict.type === 'ABSENT') return { type: 'NOT_FOUND' } as const
  if (verdict.type === 'REMOVED') return silent
  if (verdict.type !== 'OK') return elsewise(verdict, false)
  const { body } = verdict
  if (!hasShape(CobrShown, body) || body.txid !== txid) return silent
  return { type: 'FOUND', body, dueDate: body.calendario.dataDeVencimento } as const
}

/** A charge that the payer's bank has rejected will not be paid; one that was cancelled was taken back. */
const scheduledAs = ({ data }: Schedule, body: unknown): ProviderOutcome => {
  if (!hasShape(CobrShown, body)) return silent
  const amountCents = readValor(body.valor.original)
  const isSame = body.idRec === data.mandateId && body.calendario.dataDeVencimento === data.dueDate
  if (amountCents === null || !isSame) return silent
  if (body.status === 'CANCELADA')
    return { type: 'UNDONE', how: 'VOIDED', message: 'the charge was cancelled at the bank' }
  if (body.status === 'REJEITADA') {
    const code = codeOfEnd(body.encerramento)
    const refusal = bankRefusal({ name: 'REJEITADA', text: "the payer's bank rejected the charge" })
    return {
      type: 'REFUSED',
      refusal: { ...refusal, network: code === null ? null : { code, advice: null } },
    }
  }
  return { type: 'DONE', echo: { reference: body.txid, amountCents, payee: null }, evidence: null }
}

/** What is asked about a charge has no reference of its own at the bank. */
const doneWithoutReference: ProviderOutcome = {
  type: 'DONE',
  echo: { reference: null, amountCents: null, payee: null },
  evidence: null,
}

const refusedHere = (text: string): ProviderOutcome => ({
  type: 'REFUSED',
  refusal: bankRefusal({ name: null, text }),
})
