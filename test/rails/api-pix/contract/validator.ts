import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { closed } from './fields.ts'
import { type ContractOperation, notices, operations, problemSchema } from './operations.ts'

/** A request as a server sees it, and what was answered to it. */
export type RailExchange = {
  readonly verb: string
  /** Below the bank's base, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Parsed; undefined where nothing was sent. */
  readonly sent: unknown
  readonly status: number
  readonly media: string | null
  readonly answer: unknown
}

/** Says what in an exchange or a callback API Pix forbids; empty where all is well. */
export type RailContract = {
  readonly ofRequest: (exchange: RailExchange) => readonly string[]
  readonly ofAnswer: (exchange: RailExchange) => readonly string[]
  readonly ofNotice: (kind: keyof typeof notices, body: unknown) => readonly string[]
}

export type ContractOptions = {
  /** What the bank offers beside API Pix, by full paths. */
  readonly own?: readonly ContractOperation[]
  /** Efí answers errors in a form of its own. */
  readonly errors?: 'PROBLEM' | 'EFI'
}

/** Holds exchanges against the operations of `operations.ts`, and those of a bank's own. */
export const apiPixContract = ({ own = [], errors = 'PROBLEM' }: ContractOptions = {}): RailContract => {
  const known = [...own, ...operations]
  const error = errors === 'EFI' ? Type.Union([problemSchema, errorOfEfi]) : problemSchema
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  // Queries are text: numbers and truths are read out of it.
  const ajvOfText = new Ajv2020({ strict: false, allErrors: true, coerceTypes: true, formats })
  const problemsOf = compiler(ajv)
  const problemsOfText = compiler(ajvOfText)

  return {
    ofRequest: ({ verb, path, query, sent }) => {
      const found = operationOf(known, verb, path)
      if (found === null) return [`${verb} ${path} is no operation of API Pix`]
      const { operation, parameters } = found
      return [
        ...problemsOf(operation.parameters, parameters, 'path'),
        ...problemsOfText(operation.query, { ...query }, 'query'),
        ...(operation.body === null
          ? sent === undefined
            ? []
            : [`body is not asked for`]
          : problemsOf(operation.body, sent, 'body')),
      ]
    },
    ofAnswer: ({ verb, path, status, media, answer }) => {
      const found = operationOf(known, verb, path)
      if (found === null) return status === 404 ? [] : [`${status} for no operation of API Pix`]
      const { success, also = [] } = found.operation
      const expected = [success, ...also].find(([of]) => of === status)
      if (expected === undefined && !isListed(found.operation, status))
        return [`${status} is no answer to it`]
      if (expected === undefined)
        return [
          ...(media === 'application/problem+json' ? [] : [`media type of an error is ${media}`]),
          ...problemsOf(error, answer, 'error'),
        ]
      const [, body] = expected
      if (body === null) return answer === undefined ? [] : ['answer has a body that is not described']
      return [
        ...(media === (typeof answer === 'string' ? 'text/csv' : 'application/json')
          ? []
          : [`media type of the answer is ${media}`]),
        ...problemsOf(body, answer, 'answer'),
      ]
    },
    ofNotice: (kind, body) => problemsOf(notices[kind], body, 'notice'),
  }
}

/** Errors of the server and of the token are described for all operations at once; refused queries of lists nowhere but in prose. */
const isListed = ({ errors }: ContractOperation, status: number): boolean =>
  errors.includes(status) || [400, 401, 409, 410, 429, 500, 503, 504].includes(status)

/** The operation that a path is of, with its parameters. */
export const operationOf = (
  known: readonly ContractOperation[],
  verb: string,
  path: string,
): {
  readonly operation: ContractOperation
  readonly parameters: Readonly<Record<string, string>>
} | null => {
  const parts = path.split('/')
  for (const operation of known) {
    if (operation.verb !== verb) continue
    const template = operation.path.split('/')
    if (template.length !== parts.length) continue
    const parameters: Record<string, string> = {}
    const fits = template.every((piece, at) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1]
      if (name === undefined) return piece === parts[at]
      parameters[name] = decodeURIComponent(parts[at]!)
      return parts[at] !== ''
    })
    if (fits) return { operation, parameters }
  }
  return null
}

const errorOfEfi = closed({ nome: Type.String({ pattern: '^[a-z_0-9]+$' }), mensagem: Type.String() })

const compiler = (ajv: Ajv2020) => {
  const known = new Map<TSchema, ValidateFunction>()
  return (schema: TSchema, value: unknown, place: string): readonly string[] => {
    const validate = known.get(schema) ?? ajv.compile(schema)
    known.set(schema, validate)
    if (validate(value)) return []
    return validate.errors!.map(({ instancePath, message, params }) =>
      `${place}${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    )
  }
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const formats = {
  date: isDate,
  /** RFC 3339: with its offset. */
  'date-time': (text: string) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
    isDate(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
}
