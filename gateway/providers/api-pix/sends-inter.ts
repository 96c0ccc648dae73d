import Type from 'typebox'
import type { Deadline } from '../http/http.ts'
import type { InquiryOutcome, ProviderAsk, ProviderOutcome } from '../port.ts'
import { readValor, valorOf } from './amounts.ts'
import { callUuidOf } from './call-uuid.ts'
import { cut, elsewise } from './charges.ts'
import type { BankClient } from './client.ts'
import { payeeAccount } from './payee-account.ts'
import { hasShape } from './shape.ts'
import { bankRefusal, verdictOf } from './verdict.ts'

/** PIX that are sent, in the way of a bank. */
export type PayOuts = {
  readonly ask: (ask: PayOutAsk, deadline: Deadline) => Promise<ProviderOutcome>
  readonly inquire: (ask: PayOutAsk, deadline: Deadline) => Promise<InquiryOutcome>
}

type PayOutAsk = Extract<ProviderAsk, { readonly operation: 'PAY_OUT' }>

/** Numbers that are remembered until they are in the journal. What is forgotten before that is had back by the same request. */
const numbersMax = 10_000

/**
 * Opens the PIX that one connection to Inter sends (`POST /banking/v2/pix`, rails, section 2.8): under an idempotency key of ours, and found by a number of the bank's
 * that only its answer names. An answer that was lost is had back by the same request alone.
 */
export const openInterSends = (client: BankClient, repeatableHours: number): PayOuts => {
  /** The bank's numbers by our calls: an answer that came too late for the journal had one, too. */
  const numbers = new Map<string, string>()

  const remember = (callId: string, number: string): void => {
    if (numbers.size >= numbersMax) numbers.delete(numbers.keys().next().value!)
    numbers.set(callId, number)
  }

  const numberOf = ({ callId, data }: PayOutAsk): string | null =>
    data.bankNumber ?? numbers.get(callId) ?? null

  const look = async (ask: PayOutAsk, number: string, deadline: Deadline): Promise<ProviderOutcome> => {
    const path = `/banking/v2/pix/${encodeURIComponent(number)}`
    const verdict = verdictOf(await client.call({ verb: 'GET', path, use: 'PAY_OUT' }, deadline))
    const outcome = verdict.type === 'OK' ? outcomeOf(ask, verdict.body) : elsewise(verdict, false)
    return takenUnder(number, outcome)
  }

  return {
    ask: async (ask, deadline) => {
      const { data, callId, openedAtMs, nowMs } = ask
      const known = numberOf(ask)
      if (known !== null) return look(ask, known, deadline)
      // How long the bank remembers a key is not published: later the same request might be another payment. A person looks.
      if (ask.asked > 0 && nowMs - openedAtMs > repeatableHours * 3_600_000)
        return { type: 'SILENT', isLost: true, isUnasked: true }
      const destinatario = data.by === 'TED' ? null : receiverOf(data.payee)
      if (destinatario === null) return unsendable
      const body = {
        valor: valorOf(ask.amountCents),
        descricao: shownWith(ask.reference, data.description),
        destinatario,
      }
      const headers = { 'x-id-idempotente': callUuidOf(callId) }
      const verdict = verdictOf(
        await client.call({ verb: 'POST', path: '/banking/v2/pix', body, headers, use: 'PAY_OUT' }, deadline),
      )
      if (verdict.type === 'OK') {
        if (!hasShape(Taken, verdict.body)) return { type: 'SILENT' }
        remember(callId, verdict.body.codigoSolicitacao)
        return look(ask, verdict.body.codigoSolicitacao, deadline)
      }
      if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
        return verdict.type === 'REMOVED' ? { type: 'SILENT' } : elsewise(verdict)
      return verdict.problem.saysIdWasUsed || /idempotente/i.test(verdict.problem.text)
        ? { type: 'SILENT' }
        : { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
    },
    // Without the number nothing can be asked: that is no sign that nothing was sent. A refusal of a repeat is none either: a bank may look at
    // the balance before it looks at the key.
    inquire: async (ask, deadline) => {
      const { by, payee } = ask.data
      if (by === 'TED' || receiverOf(payee) === null) return { type: 'NOT_FOUND' }
      const known = numberOf(ask)
      return known === null ? { type: 'SILENT', isUnasked: true } : look(ask, known, deadline)
    },
  }
}

/** It was taken, whatever an inquiry knows of it: the number is what can be asked for once this process is gone. */
const takenUnder = (bankNumber: string, outcome: ProviderOutcome): ProviderOutcome => {
  if (outcome.type === 'SILENT') return { ...outcome, bankNumber }
  if (outcome.type !== 'PENDING') return outcome
  const { againInMs, evidence } = outcome
  const endToEndId = evidence?.kind === 'PIX' ? evidence.endToEndId : null
  return { type: 'PENDING', againInMs, evidence: { kind: 'PIX', endToEndId, returnId: null, bankNumber } }
}

/** The payee and the bank's statement read it: by our reference in it the statement shows what was sent, when no answer does. */
const shownWith = (reference: string, description: string | null): string => {
  const text = cut(description ?? '', 140 - reference.length - 1).trim()
  return text === '' ? reference : `${text} ${reference}`
}

const Taken = Type.Object({ codigoSolicitacao: Type.String({ minLength: 1, maxLength: 100 }) })

const SentShown = Type.Object({
  transacaoPix: Type.Object({
    valor: Type.Unknown(),
    status: Type.String(),
    endToEnd: Type.Optional(Type.String()),
    erros: Type.Optional(
      Type.Array(
        Type.Object({
          codigoErro: Type.Optional(Type.String()),
          descricaoErro: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
})

const done: ReadonlySet<string> = new Set(['PAGO', 'PIX_PAGO'])
const failed: ReadonlySet<string> = new Set([
  'REPROVADO',
  'EXPIRADO',
  'CANCELADO',
  'CANCELADO_SEM_SALDO',
  'FALHA',
  'NAO_DEBITADO',
])

/** Every other state of its twenty, and each that is new, has not ended. */
const outcomeOf = ({ reference, amountCents }: PayOutAsk, body: unknown): ProviderOutcome => {
  if (!hasShape(SentShown, body)) return { type: 'SILENT' }
  const { valor, status, endToEnd = null, erros = [] } = body.transacaoPix
  const evidence = { kind: 'PIX', endToEndId: endToEnd, returnId: null } as const
  const sentCents = readValor(valor)
  if (done.has(status))
    return { type: 'DONE', echo: { reference, amountCents: sentCents, payee: null }, evidence }
  if (!failed.has(status) || sentCents !== amountCents) return { type: 'PENDING', againInMs: null, evidence }
  const { codigoErro = null, descricaoErro } = erros[0] ?? {}
  return {
    type: 'REFUSED',
    refusal: {
      ...bankRefusal({ name: codigoErro ?? status, text: descricaoErro ?? `the bank ended it as ${status}` }),
      network: codigoErro === null ? null : { code: codigoErro, advice: null },
    },
  }
}

const receiverOf = (payee: PayOutAsk['data']['payee']) => {
  const { pixKey, name, document } = payee
  if (pixKey !== null) return { tipo: 'CHAVE', chave: pixKey }
  const found = payeeAccount(payee)
  if (found === null) return null
  return {
    tipo: 'DADOS_BANCARIOS',
    nome: name,
    cpfCnpj: document,
    agencia: found.branch,
    contaCorrente: found.account,
    tipoConta: 'CONTA_CORRENTE',
    instituicaoFinanceira: { ispb: found.ispb },
  }
}

const unsendable: ProviderOutcome = {
  type: 'REFUSED',
  refusal: bankRefusal({
    name: null,
    text: 'this bank sends PIX alone, to a key or to an account at a bank with an ISPB',
  }),
}
