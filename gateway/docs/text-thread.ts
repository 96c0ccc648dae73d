import { parentPort, workerData } from 'node:worker_threads'
import { unreachable } from '../../engine/shared/assert.ts'
import { version } from '../base/version.ts'
import { openApiDocument } from '../openapi/document.ts'
import { routes } from '../routes/index.ts'
import type { TextAsked } from './build-text.ts'
import { openLibrary } from './library.ts'
import { searchIndex } from './search-index.ts'

/** The thread of `buildText`. */

const textFor = (asked: TextAsked): string => {
  switch (asked.kind) {
    case 'document':
      return openApiDocument(routes, version, asked)
    case 'search':
      return searchIndex(openLibrary(), asked.language, openApiDocument(routes, version, asked))
    default:
      return unreachable(asked)
  }
}

parentPort!.postMessage(textFor(workerData as TextAsked))
