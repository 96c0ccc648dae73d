import type { Deadline } from '../http/http.ts'
import type { InquiryOutcome, PixReturnAtBank, ProviderAsk, ProviderOutcome } from '../port.ts'
import { valorOf } from './amounts.ts'
import { cut, elsewise } from './charges.ts'
import type { BankCall, BankClient } from './client.ts'
import { readReturn } from './pix.ts'
import { bankRefusal, verdictOf } from './verdict.ts'

/** Money that goes back (`PUT /pix/{e2eid}/devolucao/{id}`, rails, section 2.1): our refunds, and PIX that are not kept. */
type ReturnAsk = Extract<ProviderAsk, { readonly operation: 'RETURN' | 'REFUND' }>

/** Asks for a return. A bank that refuses may have taken the same one before: only one that it does not know was not made. */
export const askReturn = async (
  client: BankClient,
  ask: ReturnAsk,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { data, amountCents } = ask
  if (data.rail !== 'PIX') return refusedHere('a bank that speaks API Pix refunds no cards')
  const body = {
    valor: valorOf(amountCents),
    natureza: 'ORIGINAL',
    ...(data.description === null || data.description === ''
      ? {}
      : { descricao: cut(data.description, 140) }),
  }
  const verdict = verdictOf(
    await client.call({ verb: 'PUT', path: pathOf(data.endToEndId, ask), body }, deadline),
  )
  if (verdict.type === 'OK') return outcomeOf(ask, data.endToEndId, verdict.body)
  if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
    return verdict.type === 'REMOVED' ? { type: 'SILENT' } : elsewise(verdict)
  const found = await inquireReturn(client, ask, deadline)
  if (found.type !== 'NOT_FOUND') return found
  if (verdict.problem.saysIdWasUsed) return { type: 'SILENT' }
  return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
}

/** What became of a return. */
export const inquireReturn = async (
  client: BankClient,
  ask: ReturnAsk,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const { data } = ask
  if (data.rail !== 'PIX') return { type: 'NOT_FOUND' }
  const verdict = verdictOf(await client.call({ verb: 'GET', path: pathOf(data.endToEndId, ask) }, deadline))
  if (verdict.type === 'OK') return outcomeOf(ask, data.endToEndId, verdict.body)
  if (verdict.type === 'ABSENT') return { type: 'NOT_FOUND' }
  return verdict.type === 'REMOVED' ? { type: 'SILENT' } : elsewise(verdict, false)
}

const pathOf = (endToEndId: string, { reference }: ReturnAsk): Exclude<BankCall['path'], string> => [
  'pix',
  endToEndId,
  'devolucao',
  reference,
]

const outcomeOf = (ask: ReturnAsk, endToEndId: string, body: unknown): ProviderOutcome => {
  const made = readReturn(body)
  return made === null ? { type: 'SILENT' } : outcomes[made.status](ask, endToEndId, made)
}

type Reader = (ask: ReturnAsk, endToEndId: string, made: PixReturnAtBank) => ProviderOutcome

const evidenceOf = (endToEndId: string, { returnId }: PixReturnAtBank) =>
  ({ kind: 'PIX', endToEndId, returnId }) as const

const outcomes: Readonly<Record<PixReturnAtBank['status'], Reader>> = {
  DONE: (_, endToEndId, made) => ({
    type: 'DONE',
    echo: { reference: made.id, amountCents: made.amountCents, payee: null },
    evidence: evidenceOf(endToEndId, made),
  }),
  PROCESSING: (_, endToEndId, made) => ({
    type: 'PENDING',
    againInMs: null,
    evidence: evidenceOf(endToEndId, made),
  }),
  // A refusal of another return says nothing of ours.
  NOT_DONE: ({ reference, amountCents }, _, made) =>
    made.id === reference && made.amountCents === amountCents
      ? {
          type: 'REFUSED',
          refusal: bankRefusal({
            name: 'NAO_REALIZADO',
            text: made.reason ?? 'the bank could not return it',
          }),
        }
      : { type: 'SILENT' },
}

const refusedHere = (text: string): ProviderOutcome => ({
  type: 'REFUSED',
  refusal: bankRefusal({ name: null, text }),
})
