import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { version } from '../../gateway/base/version.ts'
import { openApiDocument } from '../../gateway/openapi/document.ts'
import { routes } from '../../gateway/routes/index.ts'

/** Holds what is sent and answered against the OpenAPI document, and against nothing else. */
export type Contract = {
  readonly document: any
  /** What an exchange does that the document does not say; empty where all is well. */
  readonly violations: (exchange: Exchange) => readonly string[]
  /** The same of an event that an endpoint heard. */
  readonly violationsOfEvent: (event: { readonly type: string }) => readonly string[]
  /** The operation that a request is for. */
  readonly operationOf: (verb: string, path: string) => string | null
}

export type Exchange = {
  readonly verb: string
  readonly path: string
  readonly sent: unknown
  readonly status: number
  readonly type: string | null
  /** Parsed where it is JSON. */
  readonly body: unknown
}

let known: Contract | null = null

/** Of the document that the service makes of itself; made once, as it takes a moment. */
export const contract = (): Contract => {
  known ??= contractOf(JSON.parse(openApiDocument(routes, version)))
  return known
}

export const contractOf = (document: any): Contract => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(closed(document), 'document')
  const validators = new Map<string, ValidateFunction>()
  const problemsAt = (pointer: string, value: unknown): string[] => {
    let validate = validators.get(pointer)
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `document#${pointer}` })
      validators.set(pointer, validate)
    }
    if (validate(value)) return []
    return validate.errors!.map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    )
  }
  const operations = Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).map(([verb, operation]) => ({
      verb: verb.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  )
  const find = (verb: string, path: string) => {
    const plain = path.split('?')[0]!
    const asked = verb === 'HEAD' ? 'GET' : verb
    const fitting = operations.filter((known) => known.verb === asked && known.pattern.test(plain))
    // Fixed paths win over those with an id.
    return fitting.find((known) => !known.path.includes('{')) ?? fitting[0] ?? null
  }

  const violations = ({ verb, path, sent, status, type, body }: Exchange): readonly string[] => {
    if (!path.startsWith('/v1/')) return []
    const found = find(verb, path)
    // Nothing is documented of what does not exist, but that an error says so.
    if (found === null) return problemsAt('/components/schemas/Problem', body)
    const place = `/paths/${escaped(found.path)}/${found.verb.toLowerCase()}`
    const response = found.operation.responses[status]
    if (response === undefined) return [`the status ${status} is not documented`]
    const answers = response.$ref ? pointerOf(response.$ref) : `${place}/responses/${status}`
    const { content } = valueAt(document, answers)
    const media = type?.split(';')[0]
    if (media === undefined || content[media] === undefined)
      return [`the media type ${media} is not documented`]
    const wrong = verb === 'HEAD' ? [] : problemsAt(`${answers}/content/${escaped(media)}/schema`, body)
    const isTaken = status < 300 && typeof sent === 'object' && sent !== null
    const { requestBody } = found.operation
    if (!isTaken || requestBody === undefined) return wrong
    const { $ref } = requestBody.content['application/json'].schema
    const problems = problemsAt(pointerOf($ref), sent)
    const isAsIfAbsent = problems.length > 0 && problemsAt(pointerOf($ref), withoutNulls(sent)).length === 0
    return [...wrong, ...(isAsIfAbsent ? [] : problems.map((problem) => `was taken, though ${problem}`))]
  }

  return {
    document,
    violations,
    violationsOfEvent: (event) =>
      document.webhooks[event.type] === undefined
        ? [`the event type ${event.type} is not documented`]
        : problemsAt(
            `/webhooks/${escaped(event.type)}/post/requestBody/content/application~1json/schema`,
            event,
          ),
    operationOf: (verb, path) => find(verb, path)?.operation.operationId ?? null,
  }
}

/** What the document says in prose: an optional member that is null is as if absent, and `[]` is an empty object where one is wanted. */
const withoutNulls = (sent: unknown): unknown =>
  JSON.parse(JSON.stringify(sent), (name, value) =>
    name === 'metadata' && Array.isArray(value) && value.length === 0 ? {} : (value ?? undefined),
  )

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
const pointerOf = (ref: string): string => ref.slice(1)
const valueAt = (document: any, pointer: string): any =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, part) => value[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** With no other properties than those that are named, except in what is sent: unknown fields are ignored there. */
const closed = (document: any): any => {
  const closedSchema = (schema: any): any =>
    JSON.parse(JSON.stringify(schema), (_, value) =>
      value?.properties && value.additionalProperties === undefined && isObject(value.type)
        ? { ...value, additionalProperties: false }
        : value,
    )
  const schemas = Object.entries<any>(document.components.schemas).map(([name, schema]) => [
    name,
    /(Request|Input)$/.test(name) ? schema : closedSchema(schema),
  ])
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
}

const isObject = (type: unknown): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))
