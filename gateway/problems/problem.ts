import type { Product } from '../../engine/shared/product.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { type ProblemCode, problemPage, problemStatus } from './catalogue.ts'
import { languageOf, languageTags } from './language.ts'
import { messages } from './messages/messages.ts'
import type { Text } from './messages/text.ts'
import { problemTexts } from './problem-texts.ts'

/** An error in the form of RFC 9457, with the `code` that is the contract (decisions, section 4). */
export type Problem = {
  readonly status: number
  readonly code: ProblemCode
  /** Null if the code's general cause says it all. */
  readonly detail: Text | null
  readonly errors?: readonly FieldError[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export type FieldError = { readonly field: string; readonly code: FieldErrorCode; readonly message: Text }

export const fieldErrorCodes = [
  'REQUIRED',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_MANY',
  'DUPLICATE',
  'MUTUALLY_EXCLUSIVE',
  'IN_THE_PAST',
  'CHECK_DIGIT',
] as const
export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** A problem with the status of its code. Its detail defaults to the code's cause. */
export const problem = (
  code: ProblemCode,
  detail: Text | null = null,
  more: Pick<Problem, 'extra' | 'headers'> = {},
): Problem => ({ status: problemStatus[code], code, detail, ...more })

export type ProblemAnswer = {
  readonly request: Pick<HttpRequest, 'path'> & Partial<Pick<HttpRequest, 'headers'>>
  readonly requestId: string
  /** The origin of the documentation; if it is empty, `type` is a path. */
  readonly publicUrl: string
  /** The answer's headers so far; the problem's own are added to them. */
  readonly headers: Record<string, string>
}

/** Renders a problem as an answer, in the language that the request asks for. */
export const problemResponse = (
  problem: Problem,
  { request, requestId, publicUrl, headers }: ProblemAnswer,
): HttpResponse => {
  const language = languageOf(request.headers?.['accept-language'])
  const { title, cause } = problemTexts[language][problem.code]
  const say = messages[language]
  headers['Content-Type'] = 'application/problem+json'
  headers['Content-Language'] = languageTags[language]
  headers.Vary = 'Accept-Language'
  return {
    status: problem.status,
    headers: problem.headers ? Object.assign(headers, problem.headers) : headers,
    // Members are in the order in which people read them.
    body: JSON.stringify({
      type: `${publicUrl}${problemPage}#${problem.code}`,
      title,
      status: problem.status,
      detail: problem.detail?.(say) ?? cause,
      instance: request.path,
      code: problem.code,
      requestId,
      errors: problem.errors?.map(({ field, code, message }) => ({ field, code, message: message(say) })),
      ...problem.extra,
    }),
  }
}

/** 400 with the error of every field. */
export const invalid = (errors: readonly FieldError[]): Problem => ({
  ...problem('VALIDATION_ERROR', (say) => errors.map(({ message }) => message(say)).join('; ')),
  errors,
})

/** 400 with the error of one field. */
export const invalidField = (field: string, code: FieldErrorCode, message: Text): Problem =>
  invalid([{ field, code, message }])

/** 404 for a resource, by its name in the API. */
export const notFound = (resource: string): Problem =>
  problem('NOT_FOUND', (say) => say.details.notFound(resource), { extra: { resource } })

export const unavailable: Problem = problem('SERVICE_UNAVAILABLE', (say) => say.details.unavailable, {
  headers: { 'Retry-After': '1' },
})

/** 503 where the archive with what is asked for cannot be read: an operator has to look at it. */
export const historyAway: Problem = problem('HISTORY_UNAVAILABLE', null, { headers: { 'Retry-After': '60' } })

/** 503 for what the nodes of a cluster may not write yet: an operator has to finish the upgrade. */
export const upgradeUnfinished: Problem = problem('UPGRADE_UNFINISHED', null, {
  headers: { 'Retry-After': '60' },
})

/** 403 for a product that is not active for the company. */
export const productNotActive = (product: Product): Problem =>
  problem('PRODUCT_NOT_ACTIVE', (say) => say.details.productNotActive(product), { extra: { product } })

/** The problem for a status with which a transport refuses by itself. */
export const refusalOf = (status: number): Problem => {
  switch (status) {
    case 405:
      return problem('METHOD_NOT_ALLOWED')
    case 413:
      return problem('PAYLOAD_TOO_LARGE')
    case 414:
      return problem('URI_TOO_LONG')
    case 431:
      return problem('HEADERS_TOO_LARGE')
    case 500:
      return problem('INTERNAL_ERROR', (say) => say.details.internalError)
    case 503:
      return unavailable
    default:
      return { ...problem('BAD_REQUEST'), status }
  }
}
