import { parentPort } from 'node:worker_threads'
import { routes } from '../routes/index.ts'
import { version } from '../version.ts'
import { openApiDocument } from './document.ts'

/** The thread of `buildDocument`. */

parentPort!.postMessage(openApiDocument(routes, version))
