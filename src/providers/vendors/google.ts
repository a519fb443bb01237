import { type Vendor, versionedUrl } from './vendor.ts';

/** Google's Gemini API. */
export const google: Vendor = {
  name: 'google',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  worksWithoutKey: false,
  baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  defaultModel: 'gemini-2.5-flash',
  async createModel({ apiKey, baseUrl, model }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ apiKey, baseURL: versionedUrl(baseUrl, 'v1beta') })(model);
  },
};
