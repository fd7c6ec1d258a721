package httpx
