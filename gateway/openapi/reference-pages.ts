import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { codedFor } from '../api/encoding.ts'
import type { OpenPage } from '../api/open-pages.ts'
import { answerWith } from '../api/own-page.ts'
import type { OriginOf } from '../api/public-origin.ts'
import { builtOnce } from '../base/built-once.ts'
import { type Language, languages, languageTags } from '../problems/language.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { audiences, type DocumentAsked } from './audience.ts'
import { type ReferenceAssets, referencePage } from './reference-page.ts'

/**
 * Serves the OpenAPI document, built for each audience and language when it is first asked for, the Postman collection, and the page
 * that shows the document, sends requests and writes code samples: Scalar, from files of our own (`docs/reference/README.md`). The page
 * fetches nothing from elsewhere, and its content security policy would not let it.
 *
 * The language of the document is in its address, `lang=pt`, and not in `Accept-Language`: what a client is generated from is the
 * same from every machine and through every cache.
 */
export const openReference = (
  build: (asked: DocumentAsked) => Promise<string>,
  originOf: OriginOf,
): ((request: Pick<HttpRequest, 'path' | 'query' | 'headers'>) => OpenPage) => {
  const documentFor = builtOnce(build)
  const scalar = read('scalar.js.gz')
  const assets = new Map<string, Asset>()
  const asset = (name: string, type: string, body: Buffer, isCompressed = false): string => {
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12)
    const path = `/docs/reference/${name.replace('.', `.${hash}.`)}`
    assets.set(path, { type, body, isCompressed })
    return path
  }
  const script = 'text/javascript; charset=utf-8'
  const assetPaths: ReferenceAssets = {
    theme: asset('theme.css', 'text/css; charset=utf-8', read('theme.css')),
    scalar: asset('scalar.js', script, scalar, true),
    start: asset('start.js', script, read('start.js')),
  }
  const pages = new Map(
    languages.map((language) => [`/docs/${language}/reference`, referencePage(language, assetPaths)]),
  )
  return ({ path, query, headers }) => {
    const page = pages.get(path)
    if (page !== undefined) return answer('text/html; charset=utf-8', page, 'no-cache')
    if (path === '/openapi.json') {
      const audience = chosenIn(query, 'audience', audiences)
      const language = chosenIn(query, 'lang', languages)
      if (audience === null) return wrongValue('audience', audiences)
      if (language === null) return wrongValue('lang', languages)
      return documentFor({ audience, language }).then((text) =>
        inLanguage(
          language,
          answer(
            'application/json',
            text.replace('"url":"/"', () => urlOf(originOf(headers))),
            'no-cache',
          ),
        ),
      )
    }
    if (path === '/postman.json') {
      const text = read('postman.json').toString('utf8')
      const origin = originOf(headers) || originInCollection
      return answer(
        'application/json',
        text.replaceAll(originInCollection, () => origin),
        'no-cache',
      )
    }
    const found = assets.get(path)
    return found === undefined ? null : assetAnswer(found, headers['accept-encoding'])
  }
}

/** The value that a query has for a parameter, by default the first one; null if there is no such value. */
const chosenIn = <Value extends string>(
  query: string,
  parameter: string,
  values: readonly Value[],
): Value | null => {
  const named = new URLSearchParams(query).get(parameter) ?? values[0]
  return values.find((value) => value === named) ?? null
}

const inLanguage = (language: Language, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Content-Language': languageTags[language] },
})

const urlOf = (origin: string): string => `"url":${JSON.stringify(origin === '' ? '/' : origin)}`

/** What stands for the service in the Postman collection as it is kept. */
const originInCollection = 'http://127.0.0.1:8080'

type Asset = { readonly type: string; readonly body: Buffer; readonly isCompressed: boolean }

const folder = join(import.meta.dirname, '../../../docs/reference')
const read = (name: string): Buffer => readFileSync(join(folder, name))

const assetAnswer = ({ type, body, isCompressed }: Asset, accepted: string | undefined): HttpResponse => {
  const answerBody = (sent: string | Buffer) => answer(type, sent, 'public, max-age=31536000, immutable')
  if (!isCompressed) return answerBody(body)
  return codedFor(accepted, { gzip: body, plain: () => gunzipSync(body) }, answerBody)
}

/** The policy allows inline styles, which Scalar sets on its elements, and frames, which show a boleto's PDF. */
const answer = answerWith({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'frame-src': 'blob:',
})

const wrongValue = (parameter: string, values: readonly string[]): HttpResponse => ({
  ...answer('text/plain; charset=utf-8', `${parameter} is one of: ${values.join(', ')}\n`, 'no-cache'),
  status: 400,
})
