import type { TestApp } from './app.ts';

type Asked = Pick<TestApp, 'get' | 'request'>;

/** The revision of a screen, as staff read it; 1 if there is no such screen. */
export async function revisionOf(service: Asked, staff: Record<string, string>, id: string): Promise<number> {
  const { screens } = (await service.get('/api/admin/screens', staff)).json();
  return screens.find((screen: { id: string }) => screen.id === id)?.revision ?? 1;
}

/** Changes a screen from what it is now, as a client that reads it first. */
export async function patchScreen(
  service: Asked,
  staff: Record<string, string>,
  id: string,
  payload: object,
) {
  const revision = await revisionOf(service, staff, id);
  return service.request({
    method: 'PATCH',
    url: `/api/admin/screens/${id}`,
    payload: { revision, ...payload },
    headers: staff,
  });
}
