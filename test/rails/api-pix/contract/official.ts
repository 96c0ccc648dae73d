import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import type { RailContract, RailExchange } from './validator.ts'

/**
 * Holds exchanges against the official OpenAPI document itself (bacen/pix-api, `openapi.yaml`, Apache-2.0), read from the file that
 * `API_PIX_DOCUMENT` names. It forbids less than our own contract: its objects are open and its patterns are not anchored.
 */
export const officialContract = (file: string): OfficialContract => {
  const known = contracts.get(file) ?? readContract(file)
  contracts.set(file, known)
  return known
}

export type OfficialContract = RailContract & { readonly version: string }

/** It is long: read once for all banks of a process. */
const contracts = new Map<string, OfficialContract>()

const readContract = (file: string): OfficialContract => {
  const document = mended(parse(readFileSync(file, 'utf8')))
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const ajvOfText = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, coerceTypes: true })
  ajv.addSchema(document, 'document')
  ajvOfText.addSchema(document, 'document')
  const known = new Map<string, ValidateFunction>()
  const problemsAt = (pointer: string, value: unknown, place: string, of = ajv): readonly string[] => {
    const key = `${of === ajv}${pointer}`
    const validate = known.get(key) ?? of.compile({ $ref: `document#${pointer}` })
    known.set(key, validate)
    if (validate(value)) return []
    return validate.errors!.map(({ instancePath, schemaPath, message, params }) =>
      `${place}${instancePath} ${message} ${JSON.stringify(params)} (${schemaPath})`.trim(),
    )
  }

  const find = ({ verb, path }: RailExchange) => {
    const name = verb.toLowerCase()
    const fitting = Object.keys(document.paths).filter((template) => {
      const operation = document.paths[template][name]
      // What payers' apps fetch has no token, and paths that hide those of receivers.
      if (operation === undefined || operation.security.length === 0) return false
      return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    })
    const template = fitting.find((one) => !one.includes('{')) ?? fitting[0]
    if (template === undefined) return null
    const place = `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return { template, operation: document.paths[template][name], place, verbPlace: `${place}/${name}` }
  }

  return {
    version: document.info.version,
    ofRequest: (exchange) => {
      const found = find(exchange)
      if (found === null) return ['no such operation']
      const { operation, place, verbPlace, template } = found
      const values = template.split('/').map((piece, at) => [piece, exchange.path.split('/')[at]!] as const)
      const wrong: string[] = []
      const names = new Set<string>()
      for (const [list, at] of [
        [document.paths[template].parameters ?? [], `${place}/parameters`],
        [operation.parameters ?? [], `${verbPlace}/parameters`],
      ] as const)
        for (const [index, given] of list.entries()) {
          const pointer = given.$ref === undefined ? `${at}/${index}` : given.$ref.slice(1)
          const parameter = given.$ref === undefined ? given : valueAt(document, given.$ref)
          names.add(parameter.name)
          const value =
            parameter.in === 'path'
              ? decoded(values.find(([piece]) => piece === `{${parameter.name}}`)?.[1])
              : exchange.query[parameter.name]
          if (value === undefined && parameter.required) wrong.push(`${parameter.name} is required`)
          if (value !== undefined)
            wrong.push(...problemsAt(`${pointer}/schema`, value, parameter.name, ajvOfText))
        }
      for (const name of Object.keys(exchange.query))
        if (!names.has(name) && !newer.has(name)) wrong.push(`query ${name} is not described`)
      const body = operation.requestBody
      if (body !== undefined) {
        const at = body.$ref === undefined ? `${verbPlace}/requestBody` : body.$ref.slice(1)
        wrong.push(...problemsAt(`${at}/content/application~1json/schema`, exchange.sent, 'body'))
      }
      return wrong
    },
    ofAnswer: (exchange) => {
      const found = find(exchange)
      if (found === null) return exchange.status === 404 ? [] : ['no such operation']
      const { operation, verbPlace } = found
      const { status, answer } = exchange
      const response = operation.responses[status]
      if (response === undefined)
        return [400, 401, 410, 429, 500, 504].includes(status)
          ? problemsAt('/components/schemas/Problema', answer, 'error')
          : [`${status} is not described`]
      const at = response.$ref === undefined ? `${verbPlace}/responses/${status}` : response.$ref.slice(1)
      const described = response.$ref === undefined ? response : valueAt(document, response.$ref)
      const [media] = Object.keys(described.content ?? {})
      if (media === undefined) return answer === undefined ? [] : ['a body is not described']
      return problemsAt(`${at}/content/${media.replaceAll('/', '~1')}/schema`, answer, 'answer')
    },
    ofNotice: (kind, body) => {
      const name = { pix: 'WebhookPixBody', rec: 'WebhookRecBody', cobr: 'WebhookCobRBody' }[kind]
      return problemsAt(`/components/requestBodies/${name}/content/application~1json/schema`, body, 'notice')
    },
  }
}

/** Parameters of 2.10.0, whose document was not to be had. */
const newer: ReadonlySet<string> = new Set(['finalidadeMED'])

const decoded = (piece: string | undefined): string | undefined =>
  piece === undefined ? undefined : decodeURIComponent(piece)

const valueAt = (document: any, ref: string): any =>
  ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/**
 * Mends what the document says by mistake and cannot mean: patterns between slashes; names that are required of objects that have no
 * such field; lists bounded by `maximum`; text that must be an object as well; alternatives of which several fit because none requires its field; and the long txid where a
 * shorter one is allowed in the same breath.
 */
const mended = (document: any): any => {
  const fieldsOf = (schema: any): ReadonlySet<string> => {
    const found = new Set<string>(Object.keys(schema?.properties ?? {}))
    const parts = [
      ...(schema?.$ref === undefined ? [] : [valueAt(document, schema.$ref)]),
      ...['allOf', 'oneOf', 'anyOf'].flatMap((key) => schema?.[key] ?? []),
    ]
    for (const part of parts) for (const field of fieldsOf(part)) found.add(field)
    return found
  }
  const mend = (node: any, within: ReadonlySet<string>): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) mend(one, new Set())
      return
    }
    const fields = new Set([...within, ...fieldsOf(node)])
    if (typeof node.pattern === 'string') node.pattern = node.pattern.replace(/^\/(.*)\/$/, '$1')
    if (node.type === 'string') delete node.anyOf
    if (Array.isArray(node.oneOf))
      for (const part of node.oneOf)
        if (part.properties !== undefined && part.required === undefined)
          part.required = Object.keys(part.properties)
    const patterns =
      node.allOf?.filter((part: any) => part.$ref !== undefined || part.pattern !== undefined) ?? []
    if (patterns.length > 1 && patterns.at(-1).$ref === undefined && node.allOf.length === patterns.length)
      node.allOf = [patterns.at(-1)]
    if (Array.isArray(node.required)) node.required = node.required.filter((name: string) => fields.has(name))
    if (node.type === 'array' && node.maximum !== undefined) node.maxItems = node.maximum
    // A part of a whole may require what another part describes.
    for (const [key, value] of Object.entries<any>(node))
      if (['allOf', 'oneOf', 'anyOf'].includes(key) && Array.isArray(value))
        for (const part of value) mend(part, fields)
      else mend(value, new Set())
  }
  mend(document.paths, new Set())
  mend(document.components, new Set())
  return document
}
