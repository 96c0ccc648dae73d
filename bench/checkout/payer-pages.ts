import { request } from 'node:http'
import { inParallel } from '../in-parallel.ts'
import type { Company } from '../target.ts'
import type { LoadRequest } from '../workloads.ts'

/** The host of the pages in a bench. */
export const pageOrigin = 'http://pay.localhost'
const host = new URL(pageOrigin).host

/** A session whose payer has a PIX code, or still chooses. */
export type OpenPage = { readonly path: string }

/** Creates sessions, and takes PIX at those that wait for a payment. */
export const createPages = async (
  origin: string,
  companies: readonly Company[],
  count: number,
  takesPix: boolean,
): Promise<readonly OpenPage[]> =>
  inParallel(
    64,
    Array.from({ length: count }, (_, n) => companies[n % companies.length]!),
    async ({ secret }) => {
      const answer = await ask(origin, 'POST', '/v1/checkout-sessions', {
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ amount: 24_900, description: 'Curso de barista', expiresInSeconds: 86_400 }),
      })
      const { url } = JSON.parse(answer) as { readonly url: string }
      const path = new URL(url).pathname
      if (takesPix) {
        const page = await ask(origin, 'GET', path, { headers: { Host: host } })
        const nonce = /name="nonce" value="([^"]+)"/.exec(page)![1]!
        await ask(origin, 'POST', `${path}/pay`, {
          headers: { Host: host, Origin: pageOrigin, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ nonce, method: 'PIX' }).toString(),
        })
      }
      return { path }
    },
  )

/** Views of pages, as the generator sends them. */
export const views = (pages: readonly OpenPage[]): readonly LoadRequest[] =>
  pages.map(({ path }) => ({ verb: 'GET', path, headers: { Host: host }, body: null }))

/** Opens the stream of each page, as browsers do; the returned function ends them all. */
export const openStreams = async (origin: string, pages: readonly OpenPage[]): Promise<() => void> => {
  const ends = await inParallel(
    256,
    pages,
    ({ path }) =>
      new Promise<() => void>((resolve, reject) => {
        const asked = request(
          `${origin}${path}/events`,
          { agent: false, headers: { Host: host } },
          (response) => {
            if (response.statusCode !== 200)
              reject(new Error(`a stream was answered with ${response.statusCode}`))
            response.once('data', () => resolve(() => asked.destroy()))
            response.on('error', () => undefined)
          },
        )
        asked.on('error', reject)
        asked.end()
      }),
  )
  return () => {
    for (const end of ends) end()
  }
}

const ask = (
  origin: string,
  method: string,
  path: string,
  { headers, body }: { readonly headers: Record<string, string>; readonly body?: string },
): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(origin + path, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode! < 400) resolve(text)
        else
          reject(
            new Error(`${method} ${path} was answered with ${response.statusCode}: ${text.slice(0, 200)}`),
          )
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
