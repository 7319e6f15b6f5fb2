document.getElementById("page").textContent = document.getElementById("data").textContent;
