import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Route, takesKeys } from '../../gateway/api/route.ts'
import { docsFolder } from '../../gateway/docs/library.ts'
import { routes } from '../../gateway/routes/index.ts'
import { chapters, type Step, story } from '../e2e/examples/story.ts'

/**
 * The Postman collection (schema 2.1.0): the story of the document's examples, told with an API key. What a request needs of an
 * earlier one is a variable that the earlier one sets.
 */
export const postmanCollection = (): string => {
  const collection = {
    info: {
      name: 'Payments API',
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'apiKey', value: '' },
      { key: 'allowReset', value: '' },
    ],
    item: Object.entries(chapters).map(([name, steps]) => ({
      name,
      item: steps.filter(({ refused }) => refused === undefined).map(requestOf),
    })),
  }
  return `${JSON.stringify(collection, null, 1)}\n`
}

const postmanFile = join(docsFolder, 'reference/postman.json')

/** Whether the collection that is served is not what the story says; `mend` writes it. */
export const isPostmanStale = (mend = false): boolean => {
  const wanted = postmanCollection()
  if (readFileSync(postmanFile, 'utf8') === wanted) return false
  if (mend) writeFileSync(postmanFile, wanted)
  return true
}

/** Operations of keys that need something that only people do first. */
export const notInCollection = (): string[] => {
  const told = new Set(story.map(({ operation }) => operation))
  return routes
    .filter(takesKeys)
    .map(({ operationId }) => operationId)
    .filter((operation) => !told.has(operation))
}

const description = `Requests to the Sandbox that work, in an order in which they do. Set the variable \`apiKey\` to a Sandbox key (\`svc_test_…\`) with every scope, and run the collection, or send its requests one after the other: a request keeps what later ones need in variables of the collection, so begin with those at the top. The last one empties the Sandbox, and is skipped unless the variable \`allowReset\` is \`yes\`.`

const routeOf = (operation: string): Route => routes.find(({ operationId }) => operationId === operation)!

const requestOf = (step: Step) => {
  const route = routeOf(step.operation)
  const header = [
    ...(step.body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(route.idempotent
      ? [
          {
            key: 'Idempotency-Key',
            value: '{{$guid}}',
            description: 'In your program: the id of what you sell.',
          },
        ]
      : []),
  ]
  return {
    name: `${route.summary}: ${step.title}`,
    event: eventsOf(step, route),
    request: {
      method: route.verb,
      header,
      url: urlOf(step, route),
      ...(step.body !== undefined && {
        body: {
          mode: 'raw',
          raw: withVariables(JSON.stringify(step.body, null, 2)),
          options: { raw: { language: 'json' } },
        },
      }),
      description: route.description,
    },
  }
}

const urlOf = ({ id, query }: Step, { path }: Route) => {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => (segment === ':id' ? withVariables(id!) : segment))
  const parameters = Object.entries(query ?? {}).map(([key, value]) => ({ key, value: withVariables(value) }))
  const search = parameters.map(({ key, value }) => `${key}=${value}`).join('&')
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(parameters.length > 0 && { query: parameters }),
  }
}

const eventsOf = ({ operation, keep, body }: Step, { status }: Route) => {
  const kept = [...placeholders()].filter((path) => path.split('.')[0] === keep)
  const script = (listen: string, exec: readonly string[]) => ({
    listen,
    script: { type: 'text/javascript', exec },
  })
  return [
    ...(operation === 'createCoupon' && JSON.stringify(body).includes('WELCOME10')
      ? [script('prerequest', ["pm.collectionVariables.set('couponCode', 'WELCOME' + Date.now())"])]
      : []),
    ...(operation === 'resetSandbox'
      ? [script('prerequest', ["if (pm.variables.get('allowReset') !== 'yes') pm.execution.skipRequest()"])]
      : []),
    script('test', [
      `pm.test('answers ${status}', () => pm.response.to.have.status(${status}))`,
      ...kept.map((path) => {
        const place = path.split('.').slice(1).join('.')
        return `pm.collectionVariables.set('${variableOf(path)}', pm.response.json().${place})`
      }),
    ]),
  ]
}

/** `{charge.id}` of the story is `{{charge_id}}`, and a coupon has a code of its own in each run: it can be created once. */
const withVariables = (text: string): string =>
  text
    .replaceAll(/welcome10/gi, '{{couponCode}}')
    .replaceAll(/\{(\w+(?:\.\w+)+)\}/g, (_, path: string) => `{{${variableOf(path)}}}`)
const variableOf = (path: string): string => path.replaceAll('.', '_')

const placeholders = (): Set<string> =>
  new Set([...JSON.stringify(story).matchAll(/\{(\w+(?:\.\w+)+)\}/g)].map(([, path]) => path!))
