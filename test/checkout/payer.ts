import { request } from 'node:http'
import type { FrameLocator, Page } from 'playwright-core'
import type { Service } from '../e2e/service.ts'

/** What a page of the checkout answered. */
export type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Asks a page of the checkout as a browser does, by its host; no name needs to resolve. */
export const askPage = (
  { origin }: Pick<Service, 'origin'>,
  verb: string,
  url: string,
  {
    form,
    headers = {},
  }: { readonly form?: Readonly<Record<string, string>>; readonly headers?: Record<string, string> } = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(url)
    const body = form === undefined ? null : new URLSearchParams(form).toString()
    const asked = request(
      {
        host: '127.0.0.1',
        port: new URL(origin).port,
        method: verb,
        path: pathname + search,
        headers: {
          Host: host,
          ...(body !== null && {
            'Content-Type': 'application/x-www-form-urlencoded',
            'Content-Length': String(Buffer.byteLength(body)),
          }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(body ?? undefined)
  })

/** The nonce of the first form of a page. */
export const nonceIn = (body: string): string => /name="nonce" value="([^"]+)"/.exec(body)![1]!

/** Sends the form of a page, as the page's own script-less form does. */
export const sendForm = async (
  service: Pick<Service, 'origin'>,
  url: string,
  action: string,
  form: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Answered> => {
  const { body } = await askPage(service, 'GET', url)
  const { origin, pathname, search } = new URL(url)
  return askPage(service, 'POST', `${origin}${pathname}/${action}${search}`, {
    form: { nonce: nonceIn(body), ...form },
    headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin', ...headers },
  })
}

/** A card as the Sandbox's frame gives it to the page. */
export const cardJson = (token = 'tok_test_approved', last4 = '0010'): string =>
  JSON.stringify({ token, brand: 'VISA', last4, bin: '400000', holderName: 'ANA SOUZA' })

/** Types a card into the frame of the tokenizer, and pays. */
export const payByCard = async (page: Page, number: string): Promise<void> => {
  await page.locator('label:has([value=CREDIT_CARD])').click()
  const frame = page.frameLocator('#card-frame')
  await typeCard(frame, number)
  await page.locator('button.primary').press('Enter')
}

export const typeCard = async (frame: FrameLocator, number: string): Promise<void> => {
  await frame.locator('#number').fill(number)
  await frame.locator('#holder').fill('ANA SOUZA')
  await frame.locator('#expiry').fill('12/39')
  await frame.locator('#code').fill('123')
}
