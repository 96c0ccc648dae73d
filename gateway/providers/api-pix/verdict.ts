import Type, { type Static } from 'typebox'
import type { ProviderReply } from '../http/http.ts'
import type { Refusal, RefusalReason } from '../port.ts'
import { hasShape } from './shape.ts'

/** What a reply says of the request (rails, section 2.5). */
export type BankVerdict =
  | { readonly type: 'OK'; readonly body: unknown }
  /** The bank knows no such thing. */
  | { readonly type: 'ABSENT'; readonly problem: BankProblem }
  /** It is gone for good. */
  | { readonly type: 'REMOVED' }
  /** The bank refused the request. It may have carried out the same one before. */
  | { readonly type: 'REFUSED'; readonly problem: BankProblem }
  /** The application may not do this. */
  | { readonly type: 'DENIED'; readonly problem: BankProblem }
  /** The bank wants to be left alone for a while. */
  | { readonly type: 'LATER'; readonly afterMs: number | null }
  | { readonly type: 'SILENT' }

/** Why a bank says no, in its own words. */
export type BankProblem = {
  /** The last part of the type, such as `CobOperacaoInvalida`, or Efí's `nome`. */
  readonly name: string | null
  readonly text: string
  /** Whether the bank complains that our id was used before: then it has carried something out under it. */
  readonly saysIdWasUsed: boolean
}

/** Reads a reply. Only what is clearly the bank's own no counts as one: pages of gateways, redirects and rubbish say nothing. */
export const verdictOf = (reply: ProviderReply): BankVerdict => {
  if (reply.type === 'NONE') return silent
  const { status, body, retryAfterMs } = reply
  if (status >= 200 && status <= 299) return { type: 'OK', body }
  if (status === 429) return { type: 'LATER', afterMs: retryAfterMs }
  if (status === 503 && retryAfterMs !== null) return { type: 'LATER', afterMs: retryAfterMs }
  const problem = readProblem(body)
  if (problem === null) return silent
  switch (status) {
    case 400:
    case 409:
    case 422:
      return { type: 'REFUSED', problem }
    case 403:
      return { type: 'DENIED', problem }
    case 404:
      return { type: 'ABSENT', problem }
    case 410:
      return { type: 'REMOVED' }
    default:
      return silent
  }
}

const silent: BankVerdict = { type: 'SILENT' }

const text = Type.Optional(Type.String())
const Violations = Type.Array(Type.Object({ razao: text, propriedade: text }))

const Messages = Type.Array(Type.Object({ mensagem: Type.String() }), { minItems: 1 })

/** RFC 7807 as API Pix has it, Efí's own form, and lists of messages as gateways of banks write them. */
const Problem = Type.Union([
  Type.Object({ type: Type.String(), title: text, detail: text }),
  Type.Object({ title: Type.String(), detail: text }),
  Type.Object({ nome: Type.String(), mensagem: Type.String() }),
  Type.Object({ mensagens: Messages }),
  Type.Object({ erros: Messages }),
])

const readProblem = (body: unknown): BankProblem | null => {
  if (!hasShape(Problem, body)) return null
  const { type, title, detail, nome, mensagem, mensagens, erros, violacoes } = body as AnyProblem
  const name = nome ?? type?.split('/').at(-1) ?? null
  const reasons = hasShape(Violations, violacoes)
    ? violacoes.map(({ razao, propriedade }) => [propriedade, razao].filter(Boolean).join(': '))
    : []
  const listed = mensagens?.[0]?.mensagem ?? erros?.[0]?.mensagem
  const said = [mensagem ?? detail ?? listed ?? title ?? name ?? 'no reason given', ...reasons].join('; ')
  return { name, text: said.slice(0, 500), saysIdWasUsed: usedBefore.test(`${name} ${said}`) }
}

type AnyProblem = Partial<Record<'type' | 'title' | 'detail' | 'nome' | 'mensagem', string>> & {
  readonly mensagens?: Static<typeof Messages>
  readonly erros?: Static<typeof Messages>
  readonly violacoes?: unknown
}

/** Banks say it in their own words: `txid_duplicado`, "O id já foi utilizado", "encontra-se em uso". */
const usedBefore = /duplicad|utilizad[oa]|em uso\b|já (?:existe|foi|está cadastrad)/i

/** A bank's refusal in the words of the port. The same would be refused by this bank at any time. */
export const bankRefusal = (
  { name, text }: Pick<BankProblem, 'name' | 'text'>,
  reason: RefusalReason = 'PROVIDER_ERROR',
): Refusal => ({
  reason,
  message: text,
  network: null,
  provider: { code: name, message: text },
  retryOn: 'NONE',
  stepUp: false,
  attempt: null,
})
