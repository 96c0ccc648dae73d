import type { ServerResponse } from 'node:http'
import type { Answered } from './interface.ts'
import { type BankRefusal, isRefusal, problemOf } from './problems.ts'

/** An answer as it goes over the wire. */
export type RenderedAnswer = {
  readonly status: number
  readonly media: string | null
  readonly answer: unknown
}

type ErrorForm = 'PROBLEM' | 'EFI'

/** Gives an answer the form of the bank. */
export const render = (answer: Answered, errors: ErrorForm): RenderedAnswer => {
  if (isRefusal(answer))
    return {
      status: answer.status,
      media: 'application/problem+json',
      answer: errors === 'PROBLEM' ? problemOf(answer) : errorAtEfi(answer),
    }
  const { status, body } = answer
  const media = body === undefined ? null : typeof body === 'string' ? 'text/csv' : 'application/json'
  return { status, media, answer: body }
}

/** Sends what was rendered. */
export const sendRendered = (response: ServerResponse, { status, media, answer }: RenderedAnswer): void => {
  if (answer === undefined) response.writeHead(status).end()
  else
    response
      .writeHead(status, { 'content-type': media ?? 'application/json' })
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
}

/** Whether an answer is an error of Efí's own form, of which the document knows nothing. */
export const isErrorOfEfi = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'mensagem' in answer

/** Efí writes errors of API Pix in its own form, those of its own paths mostly as problems. */
const errorAtEfi = (refusal: BankRefusal): unknown => {
  const { name, detail, status, violacoes } = refusal
  if (/^[a-z_0-9]+$/.test(name)) return { nome: name, mensagem: detail }
  const isInvalid = status === 400 && /^(Cob|Pix|Webhook)/.test(name)
  const known = namesAtEfi[name] ?? (isInvalid ? 'valor_invalido' : null)
  return known === null ? problemOf(refusal) : { nome: known, mensagem: violacoes?.[0]?.razao ?? detail }
}

const namesAtEfi: Readonly<Record<string, string>> = {
  PixNaoEncontrado: 'pix_nao_encontrado',
  PixDevolucaoNaoEncontrada: 'devolucao_nao_encontrada',
  CobNaoEncontrado: 'cobranca_nao_encontrada',
  CobVNaoEncontrada: 'cobranca_nao_encontrada',
  WebhookNaoEncontrado: 'webhook_nao_encontrado',
}
